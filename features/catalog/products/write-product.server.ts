import { type Insertable, sql } from 'kysely'
import type { Database } from '#db/types.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { lockOrdersOfProducts, recordAnimalStock, recordInitialStock } from '#features/stock/stock.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { STORED_FIELDS } from './field-values.ts'
import { liveWeightPrice, type RateTier } from './live-weight-rules.ts'
import type { NewProductForm, ProductForm } from './forms.ts'
import { allowedStatuses, animalStock, formProblems, type ProductKind } from './product-rules.ts'
import { findProductRecord, forLog, type ProductDetails } from './product-editor-queries.server.ts'

/** Fields and the keys of what is wrong with them. */
export type FieldProblems = [field: string, key: string][]

export type ProductWritten =
  | { ok: true; product: ProductDetails }
  | { ok: false; reason: 'stale' | 'missing' }
  | { ok: false; reason: 'invalid'; problems: FieldProblems }

/** Puts a new product into the catalog, with its pictures and, for an animal, its first weighing. */
export function createProduct(db: Db, who: Actor, form: NewProductForm, today: string): Promise<ProductWritten> {
  return mapUniqueViolation(() => inTransaction(db, (tx) => insertProduct(tx, who, form, today)))
}

/** `createProduct` within a transaction; a tag or barcode that is taken throws. */
export async function insertProduct(tx: Db, who: Actor, form: NewProductForm, today: string): Promise<ProductWritten> {
  const facts = newFacts(form, await rateTiers(tx, form.kind, form))
  const { status, grams, stockMilli } = facts
  const isAnimal = form.kind === 'animal'
  const [wrong, price] = checkForm({ ...form, status }, facts)
  const problems = [...wrong, ...firstWeighingProblems(form, today), ...(await missingRows(tx, form))]
  if (problems.length > 0 || price === null) return { ok: false, reason: 'invalid', problems }
  const weight = grams === null ? {} : { weight_grams: grams, weighed_on: form.weighed_on }
  const row = {
    ...(toColumns({ ...form, status }, form.kind, price) as Insertable<Database['products']>),
    ...weight,
    is_unique: isAnimal,
    stock_milli: stockMilli,
  }
  const { id } = await tx.insertInto('products').values(row).returning('id').executeTakeFirstOrThrow()
  if (grams !== null) {
    await sql`insert into weigh_ins (product_id, weighed_on, grams, weighed_by) select ${id}, ${form.weighed_on}, ${grams}, name from users
      where id = ${who.id}`.execute(tx)
  }
  if (!isAnimal) await recordInitialStock(tx, [{ id, stock_milli: stockMilli }])
  await writeRelations(tx, id, form)
  const product = await read(tx, id)
  await audit(tx, who, { action: 'created', subject: 'product', id, after: forLog(product) })
  return { ok: true, product }
}

/** Changes a product, unless somebody else was quicker; orders and the count go their own ways meanwhile. */
export function changeProduct(db: Db, who: Actor, id: number, version: number, form: ProductForm): Promise<ProductWritten> {
  return mapUniqueViolation(() => inTransaction(db, (tx) => updateProduct(tx, who, id, version, form)))
}

/** `changeProduct` within a transaction; a tag or barcode that is taken throws. */
export async function updateProduct(tx: Db, who: Actor, id: number, version: number, form: ProductForm): Promise<ProductWritten> {
  await lockOrdersOfProducts(tx, [{ id, day: form.delivery_on }])
  await sql`select 1 from products where id = ${id} for update`.execute(tx)
  const before = await findProductRecord(tx, id)
  if (!before) return { ok: false, reason: 'missing' }
  if (before.version !== version) return { ok: false, reason: 'stale' }
  const { kind } = before
  const facts = factsOf(before, await rateTiers(tx, kind, form))
  const { isClaimed, isReturned } = facts
  const [wrong, price] = checkForm(form, facts, before)
  const problems = [...wrong, ...(await missingRows(tx, form, before))]
  if (problems.length > 0 || price === null) return { ok: false, reason: 'invalid', problems }
  const columns = toColumns(form, kind, price)
  const stock = kind === 'animal' ? await recordAnimalStock(tx, id, facts.stockMilli ?? 0, animalStock(form.status, isClaimed)) : {}
  const held =
    form.status === 'hold' && (isClaimed || isReturned) ? { hold_reason: isClaimed ? ('booked' as const) : ('returned' as const) } : {}
  const updated = await updateVersioned(tx, 'products', id, version, { ...columns, ...stock, ...held })
  if (!updated.ok) return updated
  await writeRelations(tx, id, form, before)
  const product = await read(tx, id)
  await audit(tx, who, { action: 'changed', subject: 'product', id, before: forLog(before), after: forLog(product) })
  return { ok: true, product }
}

async function read(tx: Db, id: number): Promise<ProductDetails> {
  const product = await findProductRecord(tx, id)
  if (!product) throw new Error(`product ${id} went while it was written`)
  return product
}

/** What is known of a product when a form is held against it. */
export interface CheckFacts {
  kind: ProductKind
  stockMilli: number | null
  isClaimed: boolean
  isReturned: boolean
  grams: number | null
  /** A booked animal keeps it; poisha. */
  bookedPrice: number | null
  tiers: readonly RateTier[]
}

/** The form's problems and the price that holds in poisha, which is null only when there is a problem. */
export function checkForm(form: ProductForm, facts: CheckFacts, before?: ProductDetails): [FieldProblems, number | null] {
  const { kind, grams } = facts
  const byWeight = kind === 'animal' && form.sold_by_live_weight
  const weighed = byWeight && grams !== null ? liveWeightPrice(grams, facts.tiers) : null
  const price = byWeight ? (facts.bookedPrice ?? weighed ?? (grams === null && before ? Math.round(before.price * 100) : null)) : form.price
  const problems: FieldProblems = formProblems({ ...form, price, kind })
  if (byWeight && grams !== null && price === null) problems.push(['season', 'weigh.no-rate'])
  if (kind === 'animal' && form.sizes.length > 0) problems.push(['sizes', 'products.sizes-animal'])
  const mayStay = before !== undefined && before.status === form.status
  const allowed = allowedStatuses(kind === 'animal' && !facts.isClaimed ? { ...facts, stockMilli: 1000 } : facts)
  if (!mayStay && !allowed.includes(form.status))
    problems.push(['status', facts.isClaimed ? 'products.claimed' : facts.isReturned ? 'products.returned' : 'products.count-says'])
  if (before?.around.isArchived && form.visible) problems.push(['visible', 'products.archived-hidden'])
  return [problems, price]
}

/** What a new form says of its first weighing that cannot be. */
export function firstWeighingProblems(form: NewProductForm, today: string): FieldProblems {
  const problems: FieldProblems = []
  if (form.kind !== 'animal') return problems
  if (form.sold_by_live_weight && form.weight_kg === null) problems.push(['weight_kg', 'field.required'])
  if (form.weight_kg !== null && form.weighed_on === null) problems.push(['weighed_on', 'field.required'])
  if (form.weighed_on !== null && form.weighed_on > today) problems.push(['weighed_on', 'weigh.future'])
  return problems
}

/** The facts that a new form brings along. */
export function newFacts(form: NewProductForm, tiers: readonly RateTier[]): CheckFacts & { status: ProductForm['status'] } {
  const isAnimal = form.kind === 'animal'
  const stockMilli = isAnimal ? animalStock(form.status, false) : form.stock
  const status = !isAnimal && stockMilli === 0 ? 'out-of-stock' : form.status
  return {
    kind: form.kind,
    stockMilli,
    isClaimed: false,
    isReturned: false,
    grams: isAnimal ? form.weight_kg : null,
    bookedPrice: null,
    tiers,
    status,
  }
}

/** The facts that a product has. */
export function factsOf({ kind, price, around }: ProductDetails, tiers: readonly RateTier[]): CheckFacts {
  const isClaimed = around.order_id !== null
  const milli = (value: number | null) => (value === null ? null : Math.round(value * 1000))
  const bookedPrice = isClaimed ? Math.round(price * 100) : null
  const isReturned = around.holdReason === 'returned'
  return { kind, stockMilli: milli(around.stock), isClaimed, isReturned, grams: milli(around.weight_kg), bookedPrice, tiers }
}

/** What goods cost follows no rate. */
async function rateTiers(tx: Db, kind: ProductKind, { category_id, season }: ProductForm): Promise<RateTier[]> {
  if (kind !== 'animal') return []
  const { rows } = await sql<RateTier>`select from_grams as "fromGrams", poisha_per_kg as "poishaPerKg" from rate_tiers
    where category_id = ${category_id} and season = ${season}`.execute(tx)
  return rows
}

/** What the form names and is not there: categories, pictures, videos of the shop. */
async function missingRows(tx: Db, form: ProductForm, before?: ProductDetails): Promise<FieldProblems> {
  const problems: FieldProblems = []
  const wanted = [form.category_id, ...form.further_category_ids]
  const there = new Set(
    (await sql<{ id: number }>`select id from categories where id = any(${wanted}::int[])`.execute(tx)).rows.map((row) => row.id),
  )
  if (!there.has(form.category_id)) problems.push(['category_id', 'field.choose'])
  if (form.further_category_ids.some((id) => !there.has(id))) problems.push(['further_category_ids', 'field.choose'])
  // Locked as a reference locks them: the sweep of what nobody shows waits, or was quicker.
  if (form.picture_ids.length > 0) {
    const pictures = await sql<{ id: number }>`select id from images where id = any(${form.picture_ids}::bigint[]) for key share`.execute(
      tx,
    )
    if (new Set(form.picture_ids).size !== pictures.rows.length) problems.push(['picture_ids', 'products.picture-gone'])
  }
  if (!form.videos.some((url) => url.startsWith('/'))) return problems
  const videos = await sql<{
    url: string
  }>`select '/uploads/' || token || '.mp4' as url from videos where '/uploads/' || token || '.mp4' = any(${form.videos}) for key share`.execute(
    tx,
  )
  const known = new Set([...videos.rows.map((row) => row.url), ...(before?.videos ?? [])])
  form.videos.forEach((url, place) => {
    if (url.startsWith('/') && !known.has(url)) problems.push([`videos.${place}`, 'products.video-bad'])
  })
  return problems
}

/** The columns that a form sets; `price` in poisha replaces the form's own. */
export function toColumns(form: ProductForm, kind: ProductKind, price: number): Record<string, unknown> {
  const values = STORED_FIELDS.map(({ key, kinds, column }): [string, unknown] => [
    column.name,
    !kinds || kinds.includes(kind) ? column.write(form[key as keyof ProductForm], form) : column.none,
  ])
  return { ...Object.fromEntries(values), price_poisha: price, hold_reason: form.status === 'hold' ? 'soon' : null }
}

/** Further categories, pictures and videos: written anew where they differ. */
export async function writeRelations(tx: Db, id: number, form: ProductForm, before?: ProductDetails): Promise<void> {
  const further = [...new Set(form.further_category_ids)].filter((category) => category !== form.category_id)
  if (!before || String(further.toSorted((a, b) => a - b)) !== String(before.further_category_ids)) {
    if (before) await sql`delete from product_categories where product_id = ${id}`.execute(tx)
    if (further.length > 0)
      await sql`insert into product_categories (product_id, category_id) select ${id}, unnest(${further}::int[])`.execute(tx)
  }
  const media = (pictures: number[], videos: string[]) => JSON.stringify([pictures, videos])
  const pictures = [...new Set(form.picture_ids)]
  if (
    before &&
    media(pictures, form.videos) ===
      media(
        before.pictures.map((one) => one.image_id),
        before.videos,
      )
  )
    return
  if (before) await sql`delete from product_media where product_id = ${id}`.execute(tx)
  if (pictures.length > 0)
    await sql`insert into product_media (product_id, position, kind, image_id)
    select ${id}, place - 1, 'image', image from unnest(${pictures}::bigint[]) with ordinality as t(image, place)`.execute(tx)
  if (form.videos.length > 0)
    await sql`insert into product_media (product_id, position, kind, video_url)
    select ${id}, ${pictures.length}::int + place - 1, 'video', url from unnest(${form.videos}::text[]) with ordinality as t(url, place)`.execute(
      tx,
    )
}

const TAKEN: Record<string, [field: string, key: string]> = {
  products_barcode_key: ['barcode', 'products.barcode-taken'],
  products_tag_number_key: ['tag_number', 'products.tag-taken'],
}

/** A tag or barcode that another product has is said at its field. */
async function mapUniqueViolation(write: () => Promise<ProductWritten>): Promise<ProductWritten> {
  try {
    return await write()
  } catch (error) {
    const taken = TAKEN[constraintOf(error) ?? '']
    if (!taken) throw error
    return { ok: false, reason: 'invalid', problems: [taken] }
  }
}
