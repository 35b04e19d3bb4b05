import { type RawBuilder, sql } from 'kysely'
import { largestFileUrl } from '#features/catalog/media/picture-columns.server.ts'
import type { WeighingMethod } from '#features/catalog/types.ts'
import {
  FINAL_WEIGHING,
  FINAL_WEIGHING_STATE,
  type FinalWeighingState,
  hasBookedAnimal,
  SOLD_BY_WEIGHT,
  WEIGHING_COUNTS_FROM,
  WEIGHING_DUE_ON,
} from '#features/orders/status/final-weighing.server.ts'
import { IS_EDITABLE } from '#features/orders/status-conditions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'

/** A booked animal of an order and its final weighing. */
export interface FinalWeighing {
  order_id: number
  animal_id: number
  tag_number: string
  customer: string
  state: FinalWeighingState
  /** The last day for the final weighing; null where the category has none. */
  due_on: string | null
  /** The first day on which a weigh-in counts as final. */
  counts_from: string | null
  /** The rate of the booking in poisha per kilogram. */
  rate: Poisha
  /** The weight that the current price is based on: of the last settlement, else of the booking. */
  old_grams: number
  weigh_in: WeighIn | null
}

interface WeighIn {
  id: number
  grams: number
  on: string
  by: string
  method: WeighingMethod
  picture_url: string | null
}

/** What a weigh-in means for the order that holds the animal: all that staff who do not read orders learn of it. */
export type WeighingOutcome = Pick<FinalWeighing, 'order_id' | 'state' | 'counts_from'>

export function outcomeOf({ order_id, state, counts_from }: FinalWeighing): WeighingOutcome {
  return { order_id, state, counts_from }
}

const MAX_LISTED = 200

/** The final weighings of the animals of an order. */
export async function listWeighingsOfOrder(db: Db, orderId: number): Promise<FinalWeighing[]> {
  return (await list(db, sql`${IS_EDITABLE} and o.id = ${orderId}`)).rows
}

/** The final weighing of the live order that holds an animal; null when no order holds it by weight. */
export async function findWeighingOfAnimal(db: Db, animalId: number): Promise<FinalWeighing | null> {
  const holds = sql`${IS_EDITABLE} and o.id = (select order_id from animal_holds where product_id = ${animalId}) and l.product_id = ${animalId}`
  return (await list(db, holds)).rows[0] ?? null
}

/** Animals with a final weigh-in whose order is not settled: the first `limit` by delivery date, and the number of all. */
export function listUnsettledWeighings(db: Db, limit = MAX_LISTED): Promise<{ rows: FinalWeighing[]; total: number }> {
  return list(
    db,
    sql`${hasBookedAnimal(IS_EDITABLE)} and c.final_weighing_days is not null and w.id is not null and ${FINAL_WEIGHING_STATE} = 'to-settle'`,
    limit,
  )
}

/** The final weighings of the orders and lines of a condition, which names the statuses. */
async function list(db: Db, condition: RawBuilder<unknown>, limit = MAX_LISTED): Promise<{ rows: FinalWeighing[]; total: number }> {
  const { rows } = await sql<FinalWeighing & { total: number }>`
    select o.id as order_id, l.product_id as animal_id, l.tag_number, o.name as customer, ${FINAL_WEIGHING_STATE} as state,
      ${WEIGHING_DUE_ON} as due_on, ${WEIGHING_COUNTS_FROM} as counts_from,
      l.booked_rate_poisha as rate, coalesce(s.new_grams, l.booked_grams) as old_grams,
      case when w.id is not null then jsonb_build_object('id', w.id, 'grams', w.grams, 'on', w.weighed_on, 'by', w.weighed_by, 'method', w.method,
        'picture_url', (select ${largestFileUrl} from images i where i.id = w.image_id)) end as weigh_in, count(*) over ()::int as total
    from orders o join order_lines l on l.order_id = o.id ${FINAL_WEIGHING}
    where ${condition} and ${SOLD_BY_WEIGHT}
    order by line_delivery_on(o, l.delivery_on), l.tag_number limit ${limit}`.execute(db)
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}
