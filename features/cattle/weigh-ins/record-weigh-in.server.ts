import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { holdPicture } from '#features/catalog/media/images.server.ts'
import { priceAtWeight } from '#features/catalog/products/live-weight-rules.ts'
import { listRateTiers } from '#features/catalog/products/rate-tiers.server.ts'
import { type Discount, fixedDiscount } from '#features/catalog/shown-price-rules.ts'
import { isUnexpected, type Weighing } from '../rules.ts'
import type { WeighInInput } from '../forms.ts'

export interface WeighInDeps {
  db: Db
  now: () => Date
  shopCache: { settings(): Promise<Settings> }
  /** Called after the weight or price of an animal changed. */
  catalogChanged(): void
}

export type WeighInResult =
  /** `orderId`: the live order that holds the animal. */
  | { ok: true; weighInId: number; orderId: number | null }
  /** `below-discount`: the new price would be less than the fixed discount of the animal. */
  | { ok: false; reason: 'not-found' | 'in-the-future' | 'picture-gone' | 'no-rate' | 'below-discount' }
  /** The weight is unexpected after or before the `nearest` weigh-in. Send it again with `confirmed` to record it. */
  | { ok: false; reason: 'unexpected'; nearest: Weighing }

interface LockedAnimal {
  id: number
  category_id: number
  season: string
  sold_by_live_weight: boolean
  weight_grams: number | null
  weighed_on: string | null
  price_poisha: number
  discount_kind: Discount['kind'] | null
  discount_value: number | null
  order_id: number | null
}

/**
 * Records a weigh-in. The latest one sets the weight of the animal and, while it is not booked, its price [W1]. A booked animal keeps the
 * price of its booking until the order is settled. An unexpected weight needs a confirmation [W5].
 */
export async function recordWeighIn(deps: WeighInDeps, animalId: number, input: WeighInInput, actor: Actor): Promise<WeighInResult> {
  if (input.weighed_on > dhakaDate(deps.now())) return { ok: false, reason: 'in-the-future' }
  const settings = await deps.shopCache.settings()
  const result = await inTransaction(deps.db, async (tx): Promise<WeighInResult> => {
    const animal = await lockAnimal(tx, animalId)
    if (!animal) return { ok: false, reason: 'not-found' }
    if (input.image_id !== null && !(await holdPicture(tx, input.image_id))) return { ok: false, reason: 'picture-gone' }
    const last = await lastWeighing(tx, animalId)
    const differing = input.confirmed ? null : await findDiffering(tx, animalId, input, settings.weigh_in_kg_per_day)
    if (differing) return { ok: false, reason: 'unexpected', nearest: differing }
    const isLatest = last === null || input.weighed_on >= last.on
    const price = isLatest ? await priceOf(tx, animal, input.grams) : 'unchanged'
    if (price === 'no-rate' || price === 'below-discount') return { ok: false, reason: price }
    const { confirmed: _confirmed, ...weighIn } = input
    const { id } = await tx
      .insertInto('weigh_ins')
      .values({ product_id: animalId, ...weighIn, created_at: deps.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (isLatest) await updateWeight(tx, animalId, { on: input.weighed_on, grams: input.grams }, price)
    await audit(tx, actor, {
      action: 'weighed',
      subject: 'product',
      id: animalId,
      before: { grams: animal.weight_grams, price_poisha: animal.price_poisha },
      after: {
        grams: isLatest ? input.grams : animal.weight_grams,
        price_poisha: price === 'unchanged' ? animal.price_poisha : price,
        weigh_in: { id, grams: input.grams, on: input.weighed_on, method: input.method },
      },
    })
    return { ok: true, weighInId: id, orderId: animal.order_id }
  })
  if (result.ok) deps.catalogChanged()
  return result
}

/** The animal with the order that holds it, locked until the transaction ends. */
export async function lockAnimal(tx: Db, id: number): Promise<LockedAnimal | null> {
  // The statement that waits for the lock does not see the order that had it.
  await sql`select 1 from products where id = ${id} for update`.execute(tx)
  const { rows } = await sql<LockedAnimal>`
    select p.id, p.category_id, p.season, p.sold_by_live_weight, p.weight_grams, p.weighed_on, p.price_poisha,
      p.discount_kind, p.discount_value,
      (select order_id from animal_holds c where c.product_id = p.id) as order_id
    from products p where p.id = ${id} and p.is_unique`.execute(tx)
  return rows[0] ?? null
}

/** The animal's latest weigh-in, besides the one with the id `except`; null without one. */
export async function lastWeighing(db: Db, animalId: number, except = 0): Promise<Weighing | null> {
  const row = await db
    .selectFrom('weigh_ins')
    .select(['weighed_on as on', 'grams'])
    .where('product_id', '=', animalId)
    .where('id', '<>', except)
    .orderBy('weighed_on', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** The weigh-in just before or just after the day from which the weight differs more than expected; null when neither does. */
async function findDiffering(
  db: Db,
  animalId: number,
  { weighed_on: on, grams }: WeighInInput,
  kgPerDay: number,
): Promise<Weighing | null> {
  const weighings = db.selectFrom('weigh_ins').select(['weighed_on as on', 'grams']).where('product_id', '=', animalId).limit(1)
  // Of a day the last one counts.
  const before = weighings.where('weighed_on', '<=', on).orderBy('weighed_on', 'desc').orderBy('id', 'desc')
  const after = weighings.where('weighed_on', '>', on).orderBy('weighed_on').orderBy('id', 'desc')
  const nearest = [await before.executeTakeFirst(), await after.executeTakeFirst()]
  return nearest.find((weighing) => weighing && isUnexpected({ on, grams }, weighing, kgPerDay)) ?? null
}

/** The price in poisha of an animal of this weight, `unchanged` while it is booked or has a price of its own; or why there is none. */
export async function priceOf(tx: Db, animal: LockedAnimal, grams: number): Promise<number | 'unchanged' | 'no-rate' | 'below-discount'> {
  if (!animal.sold_by_live_weight || animal.order_id !== null) return 'unchanged'
  return priceAtWeight(grams, await listRateTiers(tx, animal.category_id, animal.season), fixedDiscount(animal))
}

export async function updateWeight(tx: Db, animalId: number, weighing: Weighing, price: number | 'unchanged'): Promise<void> {
  const priced = price === 'unchanged' ? {} : { price_poisha: price }
  await tx
    .updateTable('products')
    .set({ weight_grams: weighing.grams, weighed_on: weighing.on, ...priced })
    .where('id', '=', animalId)
    .execute()
}
