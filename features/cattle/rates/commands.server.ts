import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { liveWeightPrice } from '#features/catalog/products/live-weight-rules.ts'
import type { RateTable } from './forms.ts'
import { type KeptTier, markOf, readRates } from './queries.server.ts'

/** An animal whose price new rates would change. */
interface PriceChange {
  id: number
  tag_number: string
  name_en: string
  name_bn: string
  grams: number
  before: number
  after: number
}

/** What new rates would do: the animals that nobody has booked and that would cost something else. Poisha. */
export interface PricePlan {
  changes: PriceChange[]
  /** Animals lighter than every tier: they keep their prices. */
  withoutTier: number
  /** Animals that are booked: they keep the rate of their booking. */
  booked: number
  /** By which applying knows that it still is what was shown. */
  mark: string
}

const kept = (table: RateTable): KeptTier[] =>
  table.tiers.map(({ from_kg, per_kg }) => ({ fromGrams: from_kg, poishaPerKg: per_kg })).sort((a, b) => a.fromGrams - b.fromGrams)

/** What these rates would change; changes nothing. */
export async function planPrices(db: Db, table: RateTable): Promise<PricePlan> {
  const { rows } = await sql<Omit<PriceChange, 'before' | 'after'> & { price: number; is_booked: boolean }>`
    select p.id, p.tag_number, p.name_en, p.name_bn, p.weight_grams as grams, p.price_poisha as price,
      exists (select 1 from animal_holds a where a.product_id = p.id) as is_booked
    from products p where ${weighed(table)} order by p.id`.execute(db)
  const free = rows.filter(({ is_booked }) => !is_booked)
  const priced = free.map(({ price, is_booked: _booked, ...animal }) => ({
    ...animal,
    before: price,
    after: liveWeightPrice(animal.grams, kept(table)) as number | null,
  }))
  const changes = priced.filter((one): one is PriceChange => one.after !== null && one.after !== one.before)
  return {
    changes,
    withoutTier: priced.filter(({ after }) => after === null).length,
    booked: rows.length - free.length,
    mark: markOf(changes.map(({ id, before, after }) => [id, before, after])),
  }
}

/** The table's animals that are sold by weight and not gone. */
const weighed = ({ category_id, season }: RateTable) => sql`p.category_id = ${category_id} and p.season = ${season} and p.is_unique
  and p.sold_by_live_weight and p.weight_grams is not null and p.status <> 'sold'`

export type RatesOutcome =
  | { ok: true; changed: number; seen: string }
  | { ok: false; reason: 'unknown-category' | 'stale' | 'plan-changed' }

/**
 * Sets the rates of a category and season, and with them the prices of its animals that nobody has booked: all of it, or nothing. When
 * rates or prices are no longer what the person saw, nothing is changed.
 */
export function setRates(db: Db, who: Actor, table: RateTable, { seen, mark }: { seen: string; mark: string }): Promise<RatesOutcome> {
  const { category_id, season } = table
  return inTransaction(db, async (tx): Promise<RatesOutcome> => {
    await sql`select pg_advisory_xact_lock(hashtext('rates'))`.execute(tx)
    const category = await sql`select 1 from categories where id = ${category_id} and delivery_group = 'cattle'`.execute(tx)
    if (category.rows.length === 0) return { ok: false, reason: 'unknown-category' }
    const before = await readRates(tx, category_id, season)
    if (before.seen !== seen) return { ok: false, reason: 'stale' }
    // Who books or weighs one of them now waits, or has been quicker and is seen by the plan below.
    await sql`select 1 from products p where ${weighed(table)} order by p.id for no key update`.execute(tx)
    const plan = await planPrices(tx, table)
    if (plan.mark !== mark) return { ok: false, reason: 'plan-changed' }
    await writeTiers(tx, table)
    const [ids, prices] = [plan.changes.map(({ id }) => id), plan.changes.map(({ after }) => after)]
    await sql`update products p set price_poisha = w.price
      from unnest(${ids}::bigint[], ${prices}::bigint[]) as w (id, price) where p.id = w.id`.execute(tx)
    const after = await readRates(tx, category_id, season)
    await audit(tx, who, {
      action: 'changed',
      subject: 'rate',
      id: season ? `${category_id} ${season}` : category_id,
      before: { tiers: before.tiers },
      after: { tiers: after.tiers, prices_changed: ids.length },
    })
    return { ok: true, changed: ids.length, seen: after.seen }
  })
}

async function writeTiers(tx: Db, table: RateTable): Promise<void> {
  const tiers = kept(table)
  await sql`delete from rate_tiers where category_id = ${table.category_id} and season = ${table.season}`.execute(tx)
  await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg)
    select ${table.category_id}::int, ${table.season}, t.from_grams, t.poisha_per_kg
    from unnest(${tiers.map(({ fromGrams }) => fromGrams)}::int[], ${tiers.map(({ poishaPerKg }) => poishaPerKg)}::bigint[])
      as t (from_grams, poisha_per_kg)`.execute(tx)
}
