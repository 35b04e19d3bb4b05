// Fills an empty shop with the demo farm: all rows in one transaction; pictures and videos as files in the uploads.
import path from 'node:path'
import { type Insertable, sql } from 'kysely'
import type { Database } from '#db/types.ts'
import { hashPassword } from '#features/auth/passwords.server.ts'
import { recordPicture } from '#features/catalog/media/images.server.ts'
import type { Picture } from '#features/catalog/types.ts'
import { createCoupon } from '#features/pricing/coupons/commands.server.ts'
import { couponForm } from '#features/pricing/coupons/forms.ts'
import { aggregateSales } from '#features/reports/aggregate-sales.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { openUploads, type UploadsPlace } from '#lib/files/uploads.server.ts'
import { DAY_MS, addDays, dhakaDate, dhakaMoment } from '#lib/format/time.ts'
import { withoutTimeouts } from '../long-transaction.ts'
import { addOrders } from './add-orders.ts'
import { animalRow, weighInsOf } from './animal-rows.ts'
import { healthRecordsOf } from './health.ts'
import { CATEGORIES, KEYED_IDS, RATE_TIERS } from './categories.ts'
import { CATTLE } from './cattle.ts'
import { COUPONS } from './coupons.ts'
import { POPUP, posFavouritesOn, slotsOn } from './home-page.ts'
import { ACCOUNTS, DEMO_PASSWORD } from './people.ts'
import { HERO_PICTURES, picturesOfAnimal, picturesOfProduce, POPUP_PICTURE, readPictures } from './pictures.ts'
import { addPlaces } from './add-places.ts'
import { ADDRESSES } from './places.ts'
import { POLICIES } from './policies.ts'
import { PRODUCE } from './produce.ts'
import { produceRow } from './produce-rows.ts'
import { addReviews } from './reviews.ts'
import { demoSettings } from './settings.ts'
import { storePictures } from './store-pictures.ts'

interface SeedOptions {
  uploads: UploadsPlace
  now: Date
  /** Writes the files of the pictures. Tests replace it to save time. */
  store?: typeof storePictures
  /** Whether animals have videos, which are copied to the uploads. */
  videos?: boolean
  /** The address of the links in the SMS of the orders. */
  publicUrl?: string
}

/** Advisory lock of the transactions that fill or clear the demo. */
export const SEED_LOCK = 715_001_002
const LOCAL_URL = 'http://127.0.0.1:3000'

/**
 * Fills the shop when it has no product yet. Returns whether it did. Inserts all rows or none. A second process that starts at
 * the same time waits for the lock and then finds the shop full.
 */
export async function seedDemo(
  db: Db,
  { uploads, now, store = storePictures, videos = true, publicUrl = LOCAL_URL }: SeedOptions,
): Promise<boolean> {
  return withoutTimeouts(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(tx)
    // The setting marks a shop whose demo was removed: it stays empty.
    const { rows } = await sql`select 1 from products union all select 1 from settings where key = 'demo_shop' limit 1`.execute(tx)
    if (rows.length > 0) return false
    const pictures = [...readPictures()]
    const results = await Promise.allSettled([
      store({ pictures, uploads }),
      videos && storeVideos(uploads),
      addRows(tx, { now, videos, pictures, publicUrl }),
    ])
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return true
  })
}

interface RowOptions {
  now: Date
  videos: boolean
  pictures: [name: string, picture: Picture][]
  publicUrl: string
}

async function addRows(tx: Db, { now, videos, pictures: described, publicUrl }: RowOptions): Promise<void> {
  const today = dhakaDate(now)
  await addPeople(tx, now)
  await addPlaces(tx)
  await addCategories(tx)
  const pictures: Pictures = new Map()
  for (const [name, picture] of described) pictures.set(name, { id: await recordPicture(tx, picture), picture })
  await addTexts(tx, today, pictures)
  const productIds = await addProducts(tx, { today, pictures, videos })
  await addHomePage(tx, productIds, { today, popupImageId: pictures.get(POPUP_PICTURE)!.id })
  await addOrders(tx, productIds, { now, publicUrl })
  await addReviews(tx, productIds, now)
  await addAddresses(tx)
  await addCoupons(tx, productIds, now)
  // The job that aggregates sales would leave the sums at zero for half a minute.
  await aggregateSales(tx, now)
}

/** Phones count as verified, so the accounts list the orders placed with them. */
async function addPeople(tx: Db, now: Date): Promise<void> {
  const hashes = await Promise.all(ACCOUNTS.map(() => hashPassword(DEMO_PASSWORD)))
  await tx
    .insertInto('users')
    .values(ACCOUNTS.map((account, i) => ({ ...account, password_hash: hashes[i], phone_verified_at: now })))
    .execute()
}

async function addCategories(tx: Db): Promise<void> {
  const { rows } = await sql<{
    id: number
    key: string
  }>`select id, key from categories where key = any(${Object.keys(KEYED_IDS)})`.execute(tx)
  if (!Object.entries(KEYED_IDS).every(([key, id]) => rows.some((row) => row.key === key && row.id === id)))
    throw new Error('The demo shop needs a fresh database: the ids of the categories beef, fruits and kurbani differ.')
  const last = await tx.selectFrom('categories').select('priority').orderBy('priority', 'desc').limit(1).executeTakeFirstOrThrow()
  await tx
    .insertInto('categories')
    .values(
      CATEGORIES.map(({ id, slug, name, description }, i) => ({
        id,
        slug,
        name_en: name.en,
        name_bn: name.bn,
        description,
        priority: last.priority + i + 1,
      })),
    )
    .execute()
  // The rows above set their ids themselves; the sequence must continue after them.
  await sql`select setval(pg_get_serial_sequence('categories', 'id'), (select max(id) from categories))`.execute(tx)
  await tx
    .insertInto('rate_tiers')
    .values(
      RATE_TIERS.map((tier) => ({
        category_id: tier.categoryId,
        season: tier.season,
        from_grams: tier.fromGrams,
        poisha_per_kg: tier.poishaPerKg,
      })),
    )
    .execute()
}

async function addTexts(tx: Db, today: string, pictures: Pictures): Promise<void> {
  const hero = { wide: pictures.get(HERO_PICTURES.wide)!.picture, tall: pictures.get(HERO_PICTURES.tall)!.picture }
  await tx
    .insertInto('settings')
    .values(
      Object.entries({ ...demoSettings(today), hero, opening: { isOpen: true, opensOn: '' }, demo_shop: true }).map(([key, value]) => ({
        key,
        value: JSON.stringify(value),
      })),
    )
    .onConflict((conflict) => conflict.column('key').doUpdateSet(({ ref }) => ({ value: ref('excluded.value') })))
    .execute()
  await tx
    .insertInto('policy_pages')
    .values(
      POLICIES.map(({ slug, title, body }) => ({
        slug,
        title_en: title.en,
        title_bn: title.bn,
        body_en: body.en,
        body_bn: body.bn,
        updated_on: addDays(today, -30),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('slug').doUpdateSet(({ ref }) => ({
        title_en: ref('excluded.title_en'),
        title_bn: ref('excluded.title_bn'),
        body_en: ref('excluded.body_en'),
        body_bn: ref('excluded.body_bn'),
        updated_on: ref('excluded.updated_on'),
        is_draft: false,
      })),
    )
    .execute()
}

/** Stored pictures by name. */
type Pictures = Map<string, { id: number; picture: Picture }>

/** Inserts products with their media, weigh-ins and health records. Returns ids by tag number or picture name. */
async function addProducts(tx: Db, options: { today: string; pictures: Pictures; videos: boolean }): Promise<Map<string, number>> {
  const productIds = new Map<string, number>()
  for (const { key, row, pictures, weighIns, health, video } of interleavedProducts(options.today)) {
    const { id } = await tx.insertInto('products').values(row).returning('id').executeTakeFirstOrThrow()
    productIds.set(key, id)
    const media: Insertable<Database['product_media']>[] = pictures.map((name, position) => ({
      product_id: id,
      position,
      kind: 'image',
      image_id: options.pictures.get(name)!.id,
      video_url: null,
    }))
    if (video && options.videos)
      media.push({ product_id: id, position: media.length, kind: 'video', image_id: null, video_url: `/uploads/${videoName(key)}` })
    await tx.insertInto('product_media').values(media).execute()
    if (weighIns.length > 0) {
      await tx
        .insertInto('weigh_ins')
        .values(weighIns.map((weighIn) => ({ product_id: id, ...weighIn })))
        .execute()
    }
    if (health.length > 0) {
      await tx
        .insertInto('health_records')
        .values(health.map((record) => ({ product_id: id, ...record })))
        .execute()
    }
  }
  return productIds
}

/** File name of an animal's video in the uploads. */
export function videoName(tag: string): string {
  return `${tag.toLowerCase()}.mp4`
}

async function storeVideos(place: UploadsPlace): Promise<void> {
  const uploads = openUploads(place)
  for (const { tag } of CATTLE.filter(({ video }) => video))
    await uploads.copy(path.join(import.meta.dirname, 'videos', `${tag}.mp4`), videoName(tag))
}

/** Kurbani, beef and produce interleaved, so that the first page of all products shows some of each. */
function interleavedProducts(today: string) {
  const animals = CATTLE.map((animal, i) => ({
    group: animal.categoryId,
    key: animal.tag,
    row: animalRow(animal, i, today),
    pictures: picturesOfAnimal(animal),
    weighIns: weighInsOf(animal, i, today),
    health: healthRecordsOf(i, today),
    video: animal.video ?? false,
  }))
  const produce = PRODUCE.map((item, i) => ({
    group: 3,
    key: item.art,
    row: produceRow(item, i, today),
    pictures: picturesOfProduce(item.art),
    weighIns: [],
    health: [],
    video: false,
  }))
  const groups = [2, 4, 3].map((group) => [...animals, ...produce].filter((product) => product.group === group))
  return groups.flatMap((list) => list.map((product, i) => ({ ...product, rank: i / list.length }))).toSorted((a, b) => a.rank - b.rank)
}

async function addHomePage(
  tx: Db,
  productIds: Map<string, number>,
  { today, popupImageId }: { today: string; popupImageId: number },
): Promise<void> {
  for (const [position, { name, shows }] of slotsOn(today).entries()) {
    const { id } = await tx
      .insertInto('slots')
      .values({ name_en: name.en, name_bn: name.bn, position })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('slot_products')
      .values(shows.map((key, i) => ({ slot_id: id, product_id: productIds.get(key)!, position: i })))
      .execute()
  }
  const favourites = posFavouritesOn(today).map((key) => productIds.get(key)!)
  await tx.updateTable('pos_favourites').set({ product_ids: favourites }).execute()
  await tx.insertInto('popups').values({ image_id: popupImageId, alt_en: POPUP.alt.en, alt_bn: POPUP.alt.bn, link: POPUP.link }).execute()
}

async function addAddresses(tx: Db): Promise<void> {
  for (const { phone, area, ...address } of ADDRESSES)
    await sql`
      insert into addresses (customer_id, area_id, name, address, landmark, is_default)
      select u.id, a.id, ${address.name}, ${address.address}, ${address.landmark}, true from users u, areas a where u.phone = ${phone} and a.name_en = ${area}`.execute(
      tx,
    )
}

async function addCoupons(tx: Db, productIds: Map<string, number>, now: Date): Promise<void> {
  for (const { products = [], endsIn, ...coupon } of COUPONS) {
    const scope = products.length > 0 ? 'products' : coupon.category_ids ? 'categories' : 'all'
    const ends_at = dhakaMoment(new Date(now.getTime() + endsIn * DAY_MS))
    const form = couponForm.parse({ ...coupon, scope, product_ids: products.map((name) => productIds.get(name)), ends_at })
    const created = await createCoupon(tx, null, form)
    if (!created.ok) throw new Error(`The demo coupon ${coupon.code} was rejected: ${created.reason}`)
  }
}
