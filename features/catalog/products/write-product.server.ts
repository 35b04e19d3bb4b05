import { toMilli } from '#lib/format/numbers.ts'
import { type Insertable, sql } from 'kysely'
import type { Database } from '#db/types.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { lockProductsWithOrders, recordAnimalStock, recordInitialStock } from '#features/stock/stock.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { STORED_FIELDS } from './field-values.ts'
import { liveWeightPrice, type RateTier } from './live-weight-rules.ts'
import type { NewProductForm, ProductForm } from './forms.ts'
import { draftProblems } from './photo-draft-rules.ts'
import { allowedStatuses, animalStock, formProblems, heldFor, isPriceMissing, type ProductKind } from './product-rules.ts'
import { findProductRecord, forLog, type ProductDetails } from './product-editor-queries.server.ts'
import { shareRateTiers } from './rate-tiers.server.ts'
import { takaToPoisha } from '#lib/format/money.ts'

/** Fields with the message keys of their errors. */
export type FieldProblems = [field: string, key: string][]

export type ProductWritten =
  | { ok: true; product: ProductDetails }
  | { ok: false; reason: 'stale' | 'missing' }
  | { ok: false; reason: 'invalid'; problems: FieldProblems }

/** Creates a product with its pictures and, for an animal, its first weigh-in. */
export function createProduct(db: Db, actor: Actor, form: NewProductForm, today: string): Promise<ProductWritten> {
  return mapUniqueViolation(() => inTransaction(db, (tx) => insertProduct(tx, actor, form, today)))
}

/** `createProduct` inside a transaction; a used tag or barcode throws. */
export async function insertProduct(tx: Db, actor: Actor, form: NewProductForm, today: string): Promise<ProductWritten> {
  const context = newProductContext(form, await rateTiers(tx, form.kind, form))
  const { status, grams, stockMilli } = context
  const isAnimal = form.kind === 'animal'
  const [formErrors, price] = checkForm({ ...form, status }, context)
  const problems = [...formErrors, ...firstWeighingProblems(form, today), ...(await missingRows(tx, form))]
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
      where id = ${actor.id}`.execute(tx)
  }
  if (!isAnimal) await recordInitialStock(tx, [{ id, stock_milli: stockMilli }])
  await writeRelations(tx, id, form)
  const product = await read(tx, id)
  await audit(tx, actor, { action: 'created', subject: 'product', id, after: forLog(product) })
  return { ok: true, product }
}

/** Updates a product if it still has this version. Stock that orders change is not part of the form. */
export function changeProduct(db: Db, actor: Actor, id: number, version: number, form: ProductForm): Promise<ProductWritten> {
  return mapUniqueViolation(() =>
    inTransaction(db, async (tx) => {
      await lockProductsWithOrders(tx, [{ id, day: form.delivery_on }])
      return updateProduct(tx, actor, id, version, form)
    }),
  )
}

/** `changeProduct` of a product that is locked with its orders; a used tag or barcode throws. */
export async function updateProduct(tx: Db, actor: Actor, id: number, version: number, form: ProductForm): Promise<ProductWritten> {
  const before = await findProductRecord(tx, id)
  if (!before) return { ok: false, reason: 'missing' }
  if (before.version !== version) return { ok: false, reason: 'stale' }
  const { kind } = before
  const context = checkContextOf(before, await rateTiers(tx, kind, form))
  const { isClaimed } = context
  const [formErrors, price] = checkForm(form, context, before)
  const problems = [...formErrors, ...(await missingRows(tx, form, before))]
  if (problems.length > 0 || price === null) return { ok: false, reason: 'invalid', problems }
  const columns = toColumns(form, kind, price)
  const stock = kind === 'animal' ? await recordAnimalStock(tx, id, context.stockMilli ?? 0, animalStock(form.status, isClaimed)) : {}
  const held = form.status === 'hold' ? { hold_reason: heldFor(context) } : {}
  const updated = await updateVersioned(tx, 'products', id, version, { ...columns, ...stock, ...held })
  if (!updated.ok) return updated
  await writeRelations(tx, id, form, before)
  const product = await read(tx, id)
  await audit(tx, actor, { action: 'changed', subject: 'product', id, before: forLog(before), after: forLog(product) })
  return { ok: true, product }
}

async function read(tx: Db, id: number): Promise<ProductDetails> {
  const product = await findProductRecord(tx, id)
  if (!product) throw new Error(`product ${id} was deleted while it was written`)
  return product
}

/** The state of a product that its form is checked against. */
export interface CheckContext {
  kind: ProductKind
  stockMilli: number | null
  isClaimed: boolean
  isReturned: boolean
  grams: number | null
  /** The price of a booked animal, which does not change; poisha. */
  bookedPrice: number | null
  tiers: readonly RateTier[]
}

/** The errors of a form, and the price in poisha, which is null only when there are errors. */
export function checkForm(form: ProductForm, context: CheckContext, before?: ProductDetails): [FieldProblems, number | null] {
  const { kind, grams } = context
  const price = priceOf(form, context, before)
  const problems: FieldProblems = formProblems({ ...form, price, kind })
  if (isSoldByWeight(form, context) && grams !== null && price === null)
    problems.push(['season', context.tiers.length === 0 ? 'products.no-rates' : 'weigh.no-rate'])
  if (kind === 'animal' && form.sizes.length > 0) problems.push(['sizes', 'products.sizes-animal'])
  if (before?.status !== form.status) problems.push(...statusProblems(form, context))
  if (before && form.visible && !before.visible) problems.push(...publishProblems(form, context, before), ...draftProblems(form))
  return [problems, price]
}

/** Why a hidden product cannot be published. A copied animal has the price of its original until it is weighed. */
function publishProblems(form: ProductForm, context: CheckContext, { state }: ProductDetails): FieldProblems {
  const problems: FieldProblems = []
  if (state.isArchived) problems.push(['visible', 'products.archived-hidden'])
  if (!isSoldByWeight(form, context)) {
    if (form.price !== null && isPriceMissing(form.price)) problems.push(['price', 'products.price-missing'])
  } else if (context.grams === null) problems.push(['visible', 'products.weight-missing'])
  return problems
}

function isSoldByWeight(form: ProductForm, { kind }: CheckContext): boolean {
  return kind === 'animal' && form.sold_by_live_weight
}

/** The price in poisha. An animal sold by live weight has its booked price, else the price of its weight, else its stored price. */
function priceOf(form: ProductForm, context: CheckContext, before?: ProductDetails): number | null {
  if (!isSoldByWeight(form, context)) return form.price
  if (context.bookedPrice !== null) return context.bookedPrice
  if (context.grams !== null) return liveWeightPrice(context.grams, context.tiers)
  return before ? takaToPoisha(before.price) : form.price
}

function statusProblems({ status }: ProductForm, context: CheckContext): FieldProblems {
  const isFreeAnimal = context.kind === 'animal' && !context.isClaimed
  const allowed = allowedStatuses(isFreeAnimal ? { ...context, stockMilli: 1000 } : context)
  if (allowed.includes(status)) return []
  return [['status', context.isClaimed ? 'products.claimed' : context.isReturned ? 'products.returned' : 'products.count-says']]
}

/** The errors of the first weigh-in in the form of a new product. */
export function firstWeighingProblems(form: NewProductForm, today: string): FieldProblems {
  const problems: FieldProblems = []
  if (form.kind !== 'animal') return problems
  // A hidden one may be weighed later, as a copy is; it is not published before.
  const mayWait = !form.visible && form.price !== null
  if (form.sold_by_live_weight && form.weight_kg === null && !mayWait) problems.push(['weight_kg', 'field.required'])
  if (form.weight_kg !== null && form.weighed_on === null) problems.push(['weighed_on', 'field.required'])
  if (form.weighed_on !== null && form.weighed_on > today) problems.push(['weighed_on', 'weigh.future'])
  return problems
}

/** The state of a new product. */
export function newProductContext(form: NewProductForm, tiers: readonly RateTier[]): CheckContext & { status: ProductForm['status'] } {
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

/** The state of a stored product. */
export function checkContextOf({ kind, price, state }: ProductDetails, tiers: readonly RateTier[]): CheckContext {
  const isClaimed = state.order_id !== null
  const milli = (value: number | null) => (value === null ? null : toMilli(value))
  const bookedPrice = isClaimed ? takaToPoisha(price) : null
  const isReturned = state.holdReason === 'returned'
  return { kind, stockMilli: milli(state.stock), isClaimed, isReturned, grams: milli(state.weight_kg), bookedPrice, tiers }
}

/** The rates of an animal that is sold by live weight; none for other products. */
async function rateTiers(tx: Db, kind: ProductKind, { sold_by_live_weight, category_id, season }: ProductForm): Promise<RateTier[]> {
  return kind === 'animal' && sold_by_live_weight ? shareRateTiers(tx, category_id, season) : []
}

/** Errors for references to missing rows: categories, pictures, uploaded videos. */
async function missingRows(tx: Db, form: ProductForm, before?: ProductDetails): Promise<FieldProblems> {
  const problems: FieldProblems = []
  const categoryIds = [form.category_id, ...form.further_category_ids]
  const categories = await tx.selectFrom('categories').select('id').where('id', 'in', categoryIds).execute()
  const existing = new Set(categories.map((row) => row.id))
  if (!existing.has(form.category_id)) problems.push(['category_id', 'field.choose'])
  if (form.further_category_ids.some((id) => !existing.has(id))) problems.push(['further_category_ids', 'field.choose'])
  // The key share lock blocks a concurrent deletion of unreferenced uploads.
  if (form.picture_ids.length > 0) {
    const pictures = await tx.selectFrom('images').select('id').where('id', 'in', form.picture_ids).forKeyShare().execute()
    if (new Set(form.picture_ids).size !== pictures.length) problems.push(['picture_ids', 'products.picture-gone'])
  }
  if (!form.videos.some((url) => url.startsWith('/'))) return problems
  const videos = await sql<{ url: string }>`select '/uploads/' || token || '.mp4' as url from videos
    where '/uploads/' || token || '.mp4' = any(${form.videos}) for key share`.execute(tx)
  const known = new Set([...videos.rows.map((row) => row.url), ...(before?.videos ?? [])])
  form.videos.forEach((url, index) => {
    if (url.startsWith('/') && !known.has(url)) problems.push([`videos.${index}`, 'products.video-bad'])
  })
  return problems
}

/** The columns that a form sets. `price` in poisha replaces the price of the form. */
export function toColumns(form: ProductForm, kind: ProductKind, price: number): Record<string, unknown> {
  const values = STORED_FIELDS.map(({ key, kinds, column }): [string, unknown] => [
    column.name,
    !kinds || kinds.includes(kind) ? column.write(form[key as keyof ProductForm], form) : column.none,
  ])
  return { ...Object.fromEntries(values), price_poisha: price, hold_reason: form.status === 'hold' ? 'soon' : null }
}

/** Replaces further categories, pictures and videos where they differ. */
export async function writeRelations(tx: Db, id: number, form: ProductForm, before?: ProductDetails): Promise<void> {
  const further = [...new Set(form.further_category_ids)].filter((category) => category !== form.category_id)
  if (!before || String(further.toSorted((a, b) => a - b)) !== String(before.further_category_ids)) {
    if (before) await tx.deleteFrom('product_categories').where('product_id', '=', id).execute()
    if (further.length > 0)
      await tx
        .insertInto('product_categories')
        .values(further.map((category_id) => ({ product_id: id, category_id })))
        .execute()
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
  if (before) await tx.deleteFrom('product_media').where('product_id', '=', id).execute()
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

/** Maps a unique violation of tag or barcode to an error at its field. */
async function mapUniqueViolation(write: () => Promise<ProductWritten>): Promise<ProductWritten> {
  try {
    return await write()
  } catch (error) {
    const taken = TAKEN[constraintOf(error) ?? '']
    if (!taken) throw error
    return { ok: false, reason: 'invalid', problems: [taken] }
  }
}
