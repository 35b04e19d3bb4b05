import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { liveWeightPrice, type RateTier } from '#features/catalog/products/live-weight-rules.ts'
import { isUnexpected, type Weighing } from '../rules.ts'
import type { WeighInInput } from '../forms.ts'

export interface WeighInDeps {
  db: Db
  now: () => Date
  facts: { settings(): Promise<Settings> }
  /** What shoppers see of the animal has changed. */
  catalogChanged(): void
}

export type WeighInResult =
  /** `orderId`: the live order that holds the animal, which this weighing may settle. */
  | { ok: true; weighInId: number; orderId: number | null }
  /** `below-discount`: so light, it would cost less than the fixed sum that is taken off its price. */
  | { ok: false; reason: 'not-found' | 'in-the-future' | 'no-rate' | 'below-discount' }
  /** Kept only when it is sent again as confirmed. */
  | { ok: false; reason: 'unexpected'; last: Weighing }

interface LockedAnimal {
  id: number
  category_id: number
  season: string
  sold_by_live_weight: boolean
  weight_grams: number | null
  price_poisha: number
  /** A fixed sum off the price; null without one. */
  discount_poisha: number | null
  order_id: number | null
}

/**
 * Keeps a weighing. The latest one is the animal's weight and, while nobody has booked it, makes its price [W1]; a booked animal
 * keeps the price of its booking until the order is settled. A surprising weight is asked about first [W5].
 */
export async function recordWeighIn(deps: WeighInDeps, animalId: number, wish: WeighInInput, who: Actor): Promise<WeighInResult> {
  if (wish.weighed_on > dhakaDate(deps.now())) return { ok: false, reason: 'in-the-future' }
  const settings = await deps.facts.settings()
  const result = await inTransaction(deps.db, async (tx): Promise<WeighInResult> => {
    const animal = await lockAnimal(tx, animalId)
    if (!animal) return { ok: false, reason: 'not-found' }
    const last = await lastWeighing(tx, animalId)
    if (!wish.confirmed && isUnexpected({ on: wish.weighed_on, grams: wish.grams }, last, settings.weigh_in_kg_per_day))
      return { ok: false, reason: 'unexpected', last: last! }
    const isLatest = last === null || wish.weighed_on >= last.on
    const price = isLatest && animal.sold_by_live_weight && animal.order_id === null ? await priceOf(tx, animal, wish.grams) : 'unchanged'
    if (price === null) return { ok: false, reason: 'no-rate' }
    if (price !== 'unchanged' && price < (animal.discount_poisha ?? 0)) return { ok: false, reason: 'below-discount' }
    const { rows } = await sql<{ id: number }>`
      insert into weigh_ins (product_id, weighed_on, grams, method, weighed_by, image_id, created_at)
      values (${animalId}, ${wish.weighed_on}, ${wish.grams}, ${wish.method}, ${wish.weighed_by}, ${wish.image_id}, ${deps.now()}) returning id`.execute(
      tx,
    )
    if (isLatest) await takeOver(tx, animalId, { on: wish.weighed_on, grams: wish.grams }, price)
    await audit(tx, who, {
      action: 'weighed',
      subject: 'product',
      id: animalId,
      before: { grams: animal.weight_grams, price_poisha: animal.price_poisha },
      after: {
        grams: isLatest ? wish.grams : animal.weight_grams,
        price_poisha: price === 'unchanged' ? animal.price_poisha : price,
        weigh_in: { id: rows[0]!.id, grams: wish.grams, on: wish.weighed_on, method: wish.method },
      },
    })
    return { ok: true, weighInId: rows[0]!.id, orderId: animal.order_id }
  })
  if (result.ok) deps.catalogChanged()
  return result
}

/** The animal with the order that holds it, locked until the transaction ends. */
async function lockAnimal(tx: Db, id: number): Promise<LockedAnimal | null> {
  const { rows } = await sql<LockedAnimal>`
    select p.id, p.category_id, p.season, p.sold_by_live_weight, p.weight_grams, p.price_poisha,
      case p.discount_kind when 'fixed' then p.discount_value end as discount_poisha,
      (select order_id from animal_holds c where c.product_id = p.id) as order_id
    from products p where p.id = ${id} and p.is_unique for update`.execute(tx)
  return rows[0] ?? null
}

export async function lastWeighing(db: Db, animalId: number): Promise<Weighing | null> {
  const { rows } = await sql<Weighing>`
    select weighed_on as on, grams from weigh_ins where product_id = ${animalId} order by weighed_on desc, id desc limit 1`.execute(db)
  return rows[0] ?? null
}

async function priceOf(tx: Db, animal: Pick<LockedAnimal, 'category_id' | 'season'>, grams: number): Promise<number | null> {
  const { rows } = await sql<RateTier>`select from_grams as "fromGrams", poisha_per_kg as "poishaPerKg" from rate_tiers
    where category_id = ${animal.category_id} and season = ${animal.season}`.execute(tx)
  return liveWeightPrice(grams, rows)
}

async function takeOver(tx: Db, animalId: number, weighing: Weighing, price: number | 'unchanged'): Promise<void> {
  const priced = price === 'unchanged' ? sql`` : sql`, price_poisha = ${price}`
  await sql`update products set weight_grams = ${weighing.grams}, weighed_on = ${weighing.on}${priced} where id = ${animalId}`.execute(tx)
}
