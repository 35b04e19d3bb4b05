import { type RawBuilder, sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { priceAtWeight, type RateTier } from '#features/catalog/products/live-weight-rules.ts'
import { lockRateTiers } from '#features/catalog/products/rate-tiers.server.ts'
import { type Discount, fixedDiscount } from '#features/catalog/shown-price-rules.ts'
import type { RateTable } from './forms.ts'
import { hashOf, readRates } from './queries.server.ts'

/** A price change of an animal; poisha. */
interface PriceChange {
  id: number
  tag_number: string
  name_en: string
  name_bn: string
  grams: number
  before: number
  after: number
}

/** The price changes that new rates cause. Booked animals keep their prices. */
export interface PricePlan {
  changes: PriceChange[]
  /** Number of animals that are lighter than every tier and keep their prices. */
  withoutTier: number
  /** Tags of animals whose new price would be below their fixed discount. They keep their prices. */
  belowDiscount: string[]
  /** Number of booked animals, which keep the rate of their booking. */
  booked: number
  /** The hash of the changes. Applying rates compares it with the previewed plan. */
  hash: string
}

/** An animal of the table as new rates find it. */
interface WeighedAnimal extends Omit<PriceChange, 'after'> {
  discount_kind: Discount['kind'] | null
  discount_value: number | null
  is_booked: boolean
}

const tiersOf = (table: RateTable): RateTier[] =>
  table.tiers.map(({ from_kg, per_kg }) => ({ fromGrams: from_kg, poishaPerKg: per_kg })).sort((a, b) => a.fromGrams - b.fromGrams)

/** Plans the price changes of new rates; writes nothing. */
export async function planPrices(db: Db, table: RateTable): Promise<PricePlan> {
  const { rows } = await sql<WeighedAnimal>`
    select p.id, p.tag_number, p.name_en, p.name_bn, p.weight_grams as grams, p.price_poisha as before, p.discount_kind, p.discount_value,
      exists (select 1 from animal_holds a where a.product_id = p.id) as is_booked
    from products p where ${weighed(table)} order by p.id`.execute(db)
  const free = rows.filter(({ is_booked }) => !is_booked)
  const tiers = tiersOf(table)
  const priced = free.map(({ is_booked: _booked, discount_kind, discount_value, ...animal }) => {
    return { ...animal, after: priceAtWeight(animal.grams, tiers, fixedDiscount({ discount_kind, discount_value })) }
  })
  const changes = priced.filter((one): one is typeof one & PriceChange => typeof one.after === 'number' && one.after !== one.before)
  return {
    changes,
    withoutTier: priced.filter(({ after }) => after === 'no-rate').length,
    belowDiscount: priced.filter(({ after }) => after === 'below-discount').map(({ tag_number }) => tag_number),
    booked: rows.length - free.length,
    hash: hashOf(changes.map(({ id, before, after }) => [id, before, after])),
  }
}

/** A category and season that may have rates. */
export type TableKey = Pick<RateTable, 'category_id' | 'season'>

/** Animals of the table that are sold by weight. */
export const inTable = ({ category_id, season }: TableKey): RawBuilder<unknown> =>
  sql`p.category_id = ${category_id} and p.season = ${season} and p.is_unique and p.sold_by_live_weight`

/** Those of them that have a weight and are not sold yet. */
const weighed = (table: RateTable) => sql`${inTable(table)} and p.weight_grams is not null and p.status <> 'sold'`

export type RatesOutcome =
  | { ok: true; changed: number; ratesHash: string }
  | { ok: false; reason: 'unknown-category' | 'stale' | 'plan-changed' }

/**
 * Sets the rates of a category and season, and the prices of its unbooked animals. `ratesHash` and `planHash` are those of the preview:
 * other rates are `stale`, other price changes are `plan-changed`, and nothing is written.
 */
export function setRates(
  db: Db,
  actor: Actor,
  table: RateTable,
  previewed: { ratesHash: string; planHash: string },
): Promise<RatesOutcome> {
  const { category_id, season } = table
  return inTransaction(db, async (tx): Promise<RatesOutcome> => {
    await lockRates(tx)
    const category = await tx
      .selectFrom('categories')
      .select('id')
      .where('id', '=', category_id)
      .where('delivery_group', '=', 'cattle')
      .executeTakeFirst()
    if (!category) return { ok: false, reason: 'unknown-category' }
    const before = await readRates(tx, category_id, season)
    if (before.hash !== previewed.ratesHash) return { ok: false, reason: 'stale' }
    // The lock blocks concurrent bookings and weigh-ins. Earlier ones are part of the plan below: an animal may just be weighed for the first
    // time, or be free again after it was sold.
    await lockAnimals(tx, table)
    // An animal that is being created or moved into the table has the stored rates. It can be locked when its transaction has ended.
    await lockRateTiers(tx, category_id, season)
    await lockAnimals(tx, table)
    const plan = await planPrices(tx, table)
    if (plan.hash !== previewed.planHash) return { ok: false, reason: 'plan-changed' }
    await writeTiers(tx, table)
    await writePrices(tx, plan.changes)
    const after = await readRates(tx, category_id, season)
    await audit(tx, actor, {
      action: 'changed',
      subject: 'rate',
      id: rateId(table),
      before: { tiers: before.tiers },
      after: { tiers: after.tiers, prices_changed: plan.changes.length },
    })
    return { ok: true, changed: plan.changes.length, ratesHash: after.hash }
  })
}

/** The subject of the audit log. */
export const rateId = ({ category_id, season }: TableKey): string | number => (season ? `${category_id} ${season}` : category_id)

/** Lets one change of rates run at a time. */
export async function lockRates(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('rates'))`.execute(tx)
}

export async function lockAnimals(tx: Db, table: TableKey): Promise<void> {
  await sql`select 1 from products p where ${inTable(table)} order by p.id for no key update`.execute(tx)
}

/** Prices of one statement. Each costs a fraction of a millisecond, because triggers follow it, and a statement ends after 5 s. */
const PRICES_PER_STATEMENT = 2000

async function writePrices(tx: Db, changes: readonly PriceChange[]): Promise<void> {
  for (let done = 0; done < changes.length; done += PRICES_PER_STATEMENT) {
    const part = changes.slice(done, done + PRICES_PER_STATEMENT)
    const [ids, prices] = [part.map(({ id }) => id), part.map(({ after }) => after)]
    await sql`update products p set price_poisha = w.price
      from unnest(${ids}::bigint[], ${prices}::bigint[]) as w (id, price) where p.id = w.id`.execute(tx)
  }
}

async function writeTiers(tx: Db, { category_id, season, tiers }: RateTable): Promise<void> {
  await tx.deleteFrom('rate_tiers').where('category_id', '=', category_id).where('season', '=', season).execute()
  const rows = tiers.map(({ from_kg, per_kg }) => ({ category_id, season, from_grams: from_kg, poisha_per_kg: per_kg }))
  await tx.insertInto('rate_tiers').values(rows).execute()
}
