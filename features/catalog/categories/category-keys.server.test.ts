import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { cartItemOf } from '#features/cart/stored-rules.ts'
import type { CattleNotes } from '#features/catalog/cattle-notes.ts'
import type { ListingJson, ProductDetailJson, ProductJson } from '#features/catalog/types.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { migrate } from '#server/migrate.ts'
import { newDatabase, testDb } from '#test/db.ts'
import { buildAnimal, buildProduct, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { isInCategory } from '../category-keys.ts'

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../db/migrations')

describe('after the migrations', () => {
  /** Applies the migrations before the keys, then the statement, then the rest; returns the categories. */
  async function categoriesAfter(statement: string) {
    const { url, drop } = await newDatabase({ template: 'template1' })
    const dir = await mkdtemp(path.join(tmpdir(), 'khamar-keys-'))
    try {
      const names = (await readdir(MIGRATIONS)).filter((name) => name < '0102')
      await Promise.all(names.map((name) => copyFile(path.join(MIGRATIONS, name), path.join(dir, name))))
      await migrate(url, { dir })
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        await client.query(statement)
        await migrate(url)
        const { rows } = await client.query('select id, key, slug, name_en, delivery_group, priority from categories order by id')
        const added = await client.query(`insert into categories (slug, name_en, name_bn) values ('next', 'Next', 'পরের') returning id`)
        return { rows: rows.map((row) => Object.values(row).join(' | ')), nextId: added.rows[0].id }
      } finally {
        await client.end()
      }
    } finally {
      await rm(dir, { recursive: true })
      await drop()
    }
  }

  it('a fresh database has the four, with the specified ids', async () => {
    expect(await categoriesAfter('select 1')).toEqual({
      rows: [
        '1 | home | home | Home listing | produce | 1',
        '2 | beef | beef | Beef | cattle | 2',
        '3 | fruits | fruits | Fruits | produce | 3',
        '4 | kurbani | kurbani-cow | Kurbani Cow | cattle | 4',
      ],
      nextId: 5,
    })
  })

  it('a shop with own categories keeps their ids and order, and gets the missing ones', async () => {
    const { rows, nextId } = await categoriesAfter(`insert into categories (slug, name_en, name_bn, delivery_group, priority) values
      ('mango', 'Mango', 'আম', 'produce', 2), ('kurbani-cow', ' kurbani cow', 'কোরবানি', 'cattle', 1), ('beef', 'Beef', 'মাংস', 'produce', 3)`)
    expect(rows).toEqual(
      [
        '1 | null | mango | Mango | produce | 2',
        '2 | kurbani | kurbani-cow |  kurbani cow | cattle | 1',
        // Its delivery group is not cattle, so the page of cattle gets a new category.
        '3 | null | beef | Beef | produce | 3',
        '5 | home | home | Home listing | produce | 4',
        '6 | beef | beef-2 | Beef | cattle | 5',
        '7 | fruits | fruits | Fruits | produce | 6',
      ].map((row) => row.replace('null', '')),
    )
    expect(nextId).toBe(8)
  })

  it('the id of a deleted category is not reused', async () => {
    const deleted =
      "insert into audit_log (action, subject, subject_id) values ('deleted', 'category', '40'), ('deleted', 'product', '900')"
    expect((await categoriesAfter(deleted)).nextId).toBe(41)
  })

  it('the demo shop of an earlier version keeps all six', async () => {
    const { rows } =
      await categoriesAfter(`insert into categories (id, slug, name_en, name_bn, delivery_group, priority, is_protected) values
      (1, 'home', 'Home listing', 'সব', 'produce', 1, true), (2, 'beef', 'Beef', 'মাংস', 'cattle', 2, true), (3, 'fruits', 'Fruits', 'ফল', 'produce', 3, true),
      (4, 'kurbani-cow', 'Kurbani Cow', 'কোরবানি', 'cattle', 4, true), (5, 'sugarcane', 'Sugarcane', 'আখ', 'produce', 5, false)`)
    expect(rows.map((row) => row.split(' | ').slice(0, 3).join(' '))).toEqual([
      '1 home home',
      '2 beef beef',
      '3 fruits fruits',
      '4 kurbani kurbani-cow',
      '5  sugarcane',
    ])
  })
})

const { db, url } = await testDb()
// A season that is weighed and delivered now.
const kurbani = { ...DEFAULT_SETTINGS.kurbani, weighedFrom: '2020-01-01', deliveryTo: '2099-12-31' }
await db
  .insertInto('settings')
  .values({ key: 'kurbani', value: JSON.stringify(kurbani) })
  .execute()
const atFirst = await db.selectFrom('categories').select(['id', 'name_en', 'name_bn']).execute()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'owner' })).phone)

const json = async <Body>(address: string) => JSON.parse((await shop.get(address)).text) as Body
const page = async <Props>(address: string) => pageProps<Props>((await shop.get(address, { accept: 'text/html' })).text)
const ids = ({ products }: { products: { id: number }[] }) => products.map(({ id }) => id)

describe('an empty shop', () => {
  it.each(['/', '/beef', '/fruits', '/kurbani'])('has the page %s', async (address) => {
    expect((await shop.get(address, { accept: 'text/html' })).status).toBe(200)
  })

  it.each([
    '/api/products?category_name=beef',
    '/api/products?category_name=Fruits',
    '/api/kurbani-cows',
    '/api/kurbani-cows?category=Kurbani%20Cow',
    '/api/kurbani-cows?status=in-stock&limit=1',
  ])('returns an empty list for %s', async (address) => {
    expect(await json<ListingJson>(address)).toMatchObject({ products: [], pagination: { total: 0 } })
  })
})

describe('renamed categories', () => {
  /** Takes back what an earlier try has changed. */
  async function startAgain(): Promise<void> {
    await db.deleteFrom('products').execute()
    await db.deleteFrom('rate_tiers').execute()
    await db.deleteFrom('categories').where('key', 'is', null).execute()
    for (const { id, name_en, name_bn } of atFirst)
      await db.updateTable('categories').set({ name_en, name_bn }).where('id', '=', id).execute()
  }

  it('do not change pages, lists, prices and imports', async () => {
    await startAgain()
    const categories = (await clerk.get('/api/admin/categories')).body as unknown as { id: number; name: string }[]
    const idOf = (name: string) => categories.find((category) => category.name === name)!.id
    const [beef, cows] = [idOf('Beef'), idOf('Kurbani Cow')]
    for (const [id, season] of [
      [beef, ''],
      [cows, 'kurbani'],
    ] as const)
      await db.insertInto('rate_tiers').values({ category_id: id, season, from_grams: 0, poisha_per_kg: 52_000 }).execute()
    const bull = await buildAnimal(db, { category_id: beef, name_en: 'Marbled bull' })
    const cow = await buildAnimal(db, { category_id: cows, name_en: 'Marbled cow', season: 'kurbani' })
    await buildProduct(db, { name_en: 'Papaya' })

    const rateTables = async () => {
      const { text } = await clerk.get('/admin/rates', { accept: 'text/html' })
      const { tables } = pageProps<{ tables: { category_id: number; counts: boolean }[] }>(text)
      return tables.map(({ category_id, counts }) => [category_id, counts]).toSorted()
    }
    const imported = async (csv: string) => ((await clerk.post('/admin/products/import', { csv })).body as { sums?: object }).sums
    const readAll = async () => ({
      beef: ids(await json<ListingJson>('/api/products?category_name=beef')),
      slug: ids(await json<ListingJson>('/api/kurbani-cows?category=kurbani-cow')),
      name: ids(await json<ListingJson>('/api/kurbani-cows?category=Kurbani%20Cow')),
      cows: ids(await json<ListingJson>('/api/kurbani-cows')),
      pages: await Promise.all(
        ['/beef', '/kurbani'].map(async (address) => {
          const { listing, notes } = await page<{ listing: ListingJson; notes: CattleNotes }>(address)
          return { ids: ids(listing), rates: notes.rates, days: notes.finalWeighingDays, isKurbani: notes.weighed !== null }
        }),
      ),
      inStock: (await page<{ inStock: boolean }>('/kurbani')).inStock,
      // The cart reads the key: for the booking banner, and for the notice of the last weighing.
      banner: isInCategory(cartItemOf(await json<ProductDetailJson>(`/api/products/${cow.id}`)), 'kurbani'),
      weighings: (await page<{ weighings: Record<string, number> }>('/cart')).weighings,
      details: (await shop.get('/search?q=marbled', { accept: 'text/html' })).text.match(/href="\/product\/\d+"[^>]*>Details</g),
      trail: (await page<{ trail: { href: string }[] }>(`/product/${cow.id}`)).trail.map(({ href }) => href),
      rates: await rateTables(),
      similar: ids({ products: (await page<{ similar: ProductJson[] }>(`/product/${bull.id}`)).similar }),
    })
    const before = await readAll()
    const rate = [{ fromKg: 0, perKg: 520 }]
    expect(before).toMatchObject({
      beef: [bull.id],
      slug: [cow.id],
      name: [cow.id],
      cows: [cow.id],
      pages: [
        { ids: [bull.id], rates: rate, days: 2, isKurbani: false },
        { ids: [cow.id], rates: rate, days: 4, isKurbani: true },
      ],
      inStock: true,
      banner: true,
      weighings: { [beef]: 2, [cows]: 4 },
      details: [expect.stringContaining(`/product/${cow.id}"`)],
      trail: ['/', '/kurbani'],
      rates: [
        [beef, true],
        [cows, true],
      ],
    })
    const exported = (await clerk.get('/admin/products/export')).text

    for (const [id, name_en, name_bn] of [
      [beef, 'Cattle for meat', 'জবাইয়ের গরু'],
      [cows, 'Eid cattle', 'ঈদের গরু'],
    ] as const) {
      const form = (await clerk.get(`/admin/category/${id}/edit`, { accept: 'text/html' })).text
      const { is_protected: _protected, id: _id, ...rest } = pageProps<{ category: Record<string, unknown> }>(form).category
      expect((await clerk.post(`/admin/category/update/${id}`, { ...rest, name_en, name_bn })).status).toBe(200)
    }
    // A file exported before the renaming finds them by their slugs.
    expect(await imported(exported)).toEqual({ create: 0, change: 0, same: 3, error: 0 })
    // Other categories can take their old names.
    for (const name_en of ['Beef', 'Kurbani Cow'])
      await clerk.post('/admin/category/store', {
        name_en,
        name_bn: name_en,
        description: '',
        delivery_group: 'produce',
        cod_allowed: true,
        final_weighing_days: '',
      })
    await expect.poll(async () => (await json<ProductDetailJson>(`/api/products/${cow.id}`)).categories[0]?.name).toBe('Eid cattle')
    // The name belongs to the new category now; slug and key do not change.
    expect(await readAll()).toEqual({ ...before, name: [] })

    // The slug of one is the name of another: the name wins, and animals that would move to a category without rates are errors.
    expect(await imported(exported)).toEqual({ create: 0, change: 0, same: 1, error: 2 })
    expect(await imported((await clerk.get('/admin/products/export')).text)).toEqual({ create: 0, change: 0, same: 3, error: 0 })
  })

  it('leave their key alone: the list of another category with that name has only its products', async () => {
    const { category } = await page<{ category: { name: string } }>('/category/beef-2')
    const { id } = await db.selectFrom('categories').select('id').where('slug', '=', 'beef-2').executeTakeFirstOrThrow()
    await db.deleteFrom('products').where('category_id', '=', id).execute()
    const mince = await buildProduct(db, { category_id: id, name_en: 'Mince' })
    const listed = async () => ids(await json<ListingJson>(`/api/products?category_name=${category.name}`))
    await expect.poll(listed).toEqual([mince.id])
    expect(ids((await page<{ listing: ListingJson }>('/category/beef-2')).listing)).toEqual([mince.id])
  })
})
