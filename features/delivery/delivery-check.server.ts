import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { FINAL_WEIGHING, FINAL_WEIGHING_STATE, SOLD_BY_WEIGHT } from '../orders/status/final-weighing.server.ts'
import { mayBePartlyDelivered } from '../orders/delivery-dates.server.ts'
import { canMove, isHandedOver, type OrderStatus } from '../orders/rules.ts'

/** Open points of an order before a delivery step. */
export interface DeliveryCheck {
  id: number
  name: string
  /** The amount due in taka; 0 where the step does not hand the order over, or nothing is due. */
  due: number
  /** The refund due in taka, of an order that is handed over; else 0. */
  refund: number
  /** Animals without a final weighing, or whose final weighing is not settled. `kg` is the final weight. */
  animals: { tag: string; state: 'missing' | 'to-settle'; kg: number | null }[]
  /** The day of a second delivery that is still to come: the order goes out with it. Null where there is none. */
  second_on: string | null
}

/**
 * Those of the orders that can change to `to` and have open points, by id. Empty for other steps than sending out and delivering. `today`: the
 * day in Dhaka.
 */
export async function listDeliveryChecks(db: Db, ids: readonly number[], to: OrderStatus, today: string): Promise<DeliveryCheck[]> {
  if (to !== 'on_delivery' && !isHandedOver(to)) return []
  const { rows } = await sql<DeliveryCheck & { status: OrderStatus }>`
    select o.id, o.name, o.status, ${isHandedOver(to) ? sql`greatest(0, amount_due(o))::float8 / 100` : sql`0::float8`} as due,
      ${isHandedOver(to) ? sql`greatest(0, -amount_due(o))::float8 / 100` : sql`0::float8`} as refund, a.animals,
      case when o.deliver_on > ${today}::date and first_delivery_on(o) is not null then o.deliver_on end as second_on
    from orders o, lateral (
      select coalesce(jsonb_agg(jsonb_build_object('tag', l.tag_number, 'state', l.state, 'kg', l.grams / 1000.0) order by l.tag_number), '[]') as animals
      from (select l.tag_number, ${FINAL_WEIGHING_STATE} as state, w.grams from order_lines l ${FINAL_WEIGHING}
        where l.order_id = o.id and ${SOLD_BY_WEIGHT} and c.final_weighing_days is not null) l where l.state <> 'settled') a
    where o.id = any(${ids}::bigint[]) order by o.id`.execute(db)
  return rows
    .filter((row) => canMove(row.status, to) && (row.refund > 0 || hasOpenPoints(row)))
    .map(({ status: _status, ...check }) => check)
}

/** Whether something of a delivery is open. A refund due alone is not: it stays in the list of refunds due. */
export function hasOpenPoints({ due, animals, second_on }: DeliveryCheck): boolean {
  return due > 0 || animals.length > 0 || second_on !== null
}

/** Whether a first delivery of the order may have been made: its products must not go back in stock unseen. */
export async function isPartlyDelivered(db: Db, id: number, today: string): Promise<boolean> {
  const { rows } = await sql`select 1 from orders o where id = ${id} and ${mayBePartlyDelivered(sql`${today}`)}`.execute(db)
  return rows.length > 0
}
