import { type RawBuilder, sql } from 'kysely'
import type { Unit } from '#features/catalog/types.ts'
import { refundsUnderWay } from '#features/payments/refunds/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import type { SoldLine, SoldOrder } from './return-rules.ts'

/** A line of an order for the forms of its return. */
export interface NamedSoldLine extends SoldLine {
  name: string
  unit: Unit
  tagNumber: string | null
  isAnimal: boolean
  /** Price of a unit. */
  price: Poisha
}

export interface NamedSoldOrder extends SoldOrder {
  lines: NamedSoldLine[]
}

/** The returned quantity of lines `l`, in thousandths. */
export const RETURNED_MILLI: RawBuilder<number> = sql`coalesce((select sum(b.quantity_milli) from pos_returns r
  join pos_return_lines b on b.return_id = r.id where r.order_id = l.order_id and b.product_id = l.product_id), 0)`

/** What final weighings added to the price of lines `l`. */
export const WEIGHED_POISHA: RawBuilder<number> = sql`coalesce((select -sum(e.amount_poisha) from settlements s
  join ledger_entries e on e.id = s.ledger_entry_id where s.order_id = l.order_id and s.product_id = l.product_id), 0)`

/** The value of all returns of orders `o`. */
export const RETURNED_WORTH: RawBuilder<number> = sql`(select coalesce(sum(worth_poisha), 0) from pos_returns where order_id = o.id)`

/** Fields of the JSON document of orders `o`: a `NamedSoldOrder`. */
export function soldOrderFields(lang: Lang): RawBuilder<unknown> {
  const name = columnIn(lang, 'l.name')
  return sql`'total', o.total_poisha, 'shipping', o.shipping_poisha, 'returnedWorth', ${RETURNED_WORTH},
    'paid', amount_received(o) - o.fee_poisha - ${refundsUnderWay(sql`o.id`)},
    'lines', (select coalesce(json_agg(json_build_object('productId', l.product_id, 'name', ${name}, 'unit', l.unit, 'tagNumber', l.tag_number,
        'isAnimal', p.is_unique, 'price', l.price_poisha, 'quantityMilli', l.quantity_milli, 'total', l.line_total_poisha, 'discount', l.discount_poisha,
        'weighed', ${WEIGHED_POISHA}, 'returnedMilli', ${RETURNED_MILLI}) order by l.position), '[]')
      from order_lines l join products p on p.id = l.product_id where l.order_id = o.id)`
}

/** An order and its returns so far; null when there is none. */
export async function findSoldOrder(db: Db, id: number, lang: Lang): Promise<NamedSoldOrder | null> {
  const { rows } = await sql<{ sold: NamedSoldOrder }>`
    select json_build_object(${soldOrderFields(lang)}) as sold from orders o where o.id = ${id}`.execute(db)
  return rows[0]?.sold ?? null
}
