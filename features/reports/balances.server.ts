import { sql } from 'kysely'
import type { ProductStatus } from '#features/catalog/types.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import { IS_OPEN, IS_REFUND_DUE, OWES } from '#features/orders/status-conditions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Period } from './period-rules.ts'

/** Money outstanding in orders of a status. */
export interface OpenMoney {
  status: OrderStatus
  orders: number
  poisha: Poisha
}

/** The amounts that customers owe, by order status. */
export async function balancesDue(db: Db): Promise<OpenMoney[]> {
  const { rows } = await sql<OpenMoney>`
    select status, count(*)::int as orders, sum(amount_due(o))::bigint as poisha from orders o
    where ${OWES} group by status order by 3 desc`.execute(db)
  return rows
}

/** The money received for orders that are not delivered yet, by order status. */
export async function advancesHeld(db: Db): Promise<OpenMoney[]> {
  const { rows } = await sql<OpenMoney>`
    select status, count(*)::int as orders, sum(amount_received(o))::bigint as poisha from orders o
    where ${IS_OPEN} and amount_received(o) > 0 group by status order by 3 desc`.execute(db)
  return rows
}

/** The refunds that the shop owes, by order status. */
export async function refundsDue(db: Db): Promise<OpenMoney[]> {
  const { rows } = await sql<OpenMoney>`
    select status, count(*)::int as orders, sum(-amount_due(o))::bigint as poisha from orders o
    where ${IS_REFUND_DUE} group by status order by 3 desc`.execute(db)
  return rows
}

/** The store credit that customers have, and how many have any. */
export async function storeCreditHeld(db: Db): Promise<{ count: number; poisha: Poisha }> {
  const { rows } = await sql<{ count: number; poisha: Poisha }>`
    select count(*)::int as count, coalesce(sum(balance), 0)::bigint as poisha
    from (select sum(amount_poisha) as balance from store_credit_entries group by customer_id) b where balance > 0`.execute(db)
  return rows[0] ?? { count: 0, poisha: ZERO }
}

/** The number and total of reported advances that are not verified. */
async function countWaitingAdvances(db: Db): Promise<{ count: number; poisha: Poisha }> {
  const { rows } = await sql<{ count: number; poisha: Poisha }>`
    select count(*)::int as count, coalesce(sum(amount_poisha), 0)::bigint as poisha from advance_reports where state = 'waiting'`.execute(
    db,
  )
  return rows[0] ?? { count: 0, poisha: ZERO }
}

/** Money between the shop and its customers at the moment. */
export interface Balances {
  due: OpenMoney[]
  held: OpenMoney[]
  /** Reported advances that are not verified. */
  waiting: { count: number; poisha: Poisha }
  refunds: OpenMoney[]
  /** Store credit of so many customers. */
  credit: { count: number; poisha: Poisha }
}

export async function readBalances(db: Db): Promise<Balances> {
  const [due, held, waiting, refunds, credit] = await Promise.all([
    balancesDue(db),
    advancesHeld(db),
    countWaitingAdvances(db),
    refundsDue(db),
    storeCreditHeld(db),
  ])
  return { due, held, waiting, refunds, credit }
}

export interface StockState {
  status: ProductStatus
  animals: number
  goods: number
}

/** The number of visible products by status. */
export async function stockByState(db: Db): Promise<StockState[]> {
  const { rows } = await sql<StockState>`
    select status, count(*) filter (where is_unique)::int as animals, count(*) filter (where not is_unique)::int as goods
    from products where visible group by status order by count(*) desc`.execute(db)
  return rows
}

export interface WeightGain {
  id: number
  tag: string
  name: string
  from_grams: number
  to_grams: number
  days: number
}

/** Animals that the page shows. */
export const SHOWN_ANIMALS = 200

/** First and last weight of each animal that was weighed more than once in the period. */
const weighedTwice = ({ from, to }: Period) => sql`(
  select product_id, grams[1] as from_grams, grams[cardinality(grams)] as to_grams, days
  from (select product_id, array_agg(grams order by weighed_on, id) as grams, max(weighed_on) - min(weighed_on) as days
    from weigh_ins where weighed_on between ${from}::date and ${to}::date group by product_id having count(*) > 1) weights)`

/**
 * The weight gain of each animal between its first and last weigh-in of the period, largest first, at most `limit` animals, null for all; and
 * the number of all those animals with what they gained together.
 */
export async function weightGained(
  db: Db,
  period: Period,
  lang: Lang,
  limit: number | null,
): Promise<{ gains: WeightGain[]; gained: { animals: number; grams: number } }> {
  const { rows } = await sql<WeightGain & { animals: number; grams: number }>`
    select p.id, coalesce(p.tag_number, '') as tag, ${columnIn(lang, 'p.name')} as name, w.from_grams, w.to_grams, w.days, w.animals, w.grams
    from (select *, count(*) over ()::int as animals, (sum(to_grams - from_grams) over ())::bigint as grams from ${weighedTwice(period)} a
      order by to_grams - from_grams desc, product_id limit ${limit}::bigint) w join products p on p.id = w.product_id
    order by w.to_grams - w.from_grams desc, p.id`.execute(db)
  const { animals = 0, grams = 0 } = rows[0] ?? {}
  return { gains: rows.map(({ animals: _animals, grams: _grams, ...gain }) => gain), gained: { animals, grams } }
}
