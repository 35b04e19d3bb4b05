import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { IS_TO_SEND, OWES } from '../status-conditions.server.ts'
import type { OrderSource } from '../types.ts'

/** What an unpaid order waits for: an online payment, an advance, its verification, a payment review, or a call by the shop. */
export type HeldFor = 'payment' | 'advance' | 'verification' | 'review' | 'call'

/** An order that holds animals while nothing is paid. */
export interface HeldOrder {
  id: number
  version: number
  name: string
  phone: string
  phone_verified: boolean
  tags: string[]
  since: string
  /** When the order expires and releases its animals; null when it does not. */
  until: string | null
  waits_for: HeldFor
  source: OrderSource
  /** The advance that is required and the money received, in taka. */
  advance: number
  paid: number
}

const MAX_HELD = 200

/** Order `o` with advance `a` holds its animals without money: nothing is paid, or less than the advance, also after a refund. */
const IS_UNPAID = sql`((o.status = 'placed' and amount_received(o) <= 0)
  or (${IS_TO_SEND} and amount_received(o) < a.advance and (o.payment_gateway = 'NONE' or o.refunded_poisha > 0)))`

/** Animals on hold with their order. Those of an order whose payment was paid back are sold, and are held without money all the same. */
const HELD_ANIMALS = sql`(select l.order_id, l.product_id from animal_holds l join products p on p.id = l.product_id where p.status = 'hold'
  union select l.order_id, l.product_id from orders o join animal_holds l on l.order_id = o.id
    where ${IS_TO_SEND} and ${OWES} and o.refunded_poisha > 0)`

/** The number of unpaid orders that hold animals and do not expire: the staff decide about them. Counted up to the limit. */
export async function countHeldWithoutExpiry(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from (select distinct order_id from ${HELD_ANIMALS} l) c
      join orders o on o.id = c.order_id cross join lateral (select required_advance(o) as advance) a
      where ${IS_UNPAID} and o.expires_at is null limit ${MAX_HELD}) held`.execute(db)
  return rows[0]!.count
}

/** Orders that hold animals unpaid, the oldest first. */
export async function listHeldOrders(db: Db): Promise<HeldOrder[]> {
  const { rows } = await sql<WithDates<HeldOrder, 'since' | 'until'>>`
    select o.id, o.version, o.name, o.phone, o.phone_verified, c.tags, o.placed_at as since, o.expires_at as until,
      case
        when exists (select 1 from payment_attempts where order_id = o.id and state = 'review') then 'review'
        when exists (select 1 from advance_reports r where r.order_id = o.id and r.state = 'waiting') then 'verification'
        when o.payment_gateway <> 'NONE' then 'payment'
        when o.payment_type = 'partial' then 'advance'
        when a.advance > 0 and o.source = 'admin' then 'advance'
        else 'call'
      end as waits_for, o.source, a.advance::float8 / 100 as advance, amount_received(o)::float8 / 100 as paid
    from (
      select l.order_id, array_agg(coalesce(p.tag_number, p.name_en) order by p.id) as tags
      from ${HELD_ANIMALS} l join products p on p.id = l.product_id group by l.order_id) c
    join orders o on o.id = c.order_id
    cross join lateral (select required_advance(o) as advance) a
    where ${IS_UNPAID}
    order by o.placed_at, o.id limit ${MAX_HELD}`.execute(db)
  return rows.map(datesToText)
}
