import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { poisha, sum } from '#lib/format/money.ts'
import type { Poisha } from '#lib/format/money.ts'
import type { FrozenLine, AdminSums } from './pricing-rules.ts'

/** Of an order what the admin may change. */
export interface EditableOrder {
  name: string
  phone: string
  address: string
  landmark: string
  note: string
  remarks: string
  areaId: number | null
  listOn: string
  /** It comes in two deliveries, for two charges. */
  isSplit: boolean
  /** Off the whole order, besides what its lines cost less than their base: by a coupon or by the admin. */
  orderDiscount: Poisha
  /** The maximum delivery charge under the order's free-shipping coupon; null without one. */
  maxShipping: Poisha | null
  sums: AdminSums
  lines: FrozenLine[]
}

/** The maximum delivery charge of an order in poisha: what its free-shipping coupon leaves; null without one. */
export const maxShippingOf = (orderId: RawBuilder<unknown>) => sql<Poisha | null>`(select c.value_poisha::bigint from coupon_uses u
  join coupons c on c.id = u.coupon_id where u.order_id = ${orderId} and u.released_at is null and c.kind = 'free_shipping')`

/** Reads it from an order that is there. */
export async function readEditable(tx: Db, orderId: number): Promise<EditableOrder> {
  const { rows } = await sql<Omit<EditableOrder, 'orderDiscount' | 'lines'>>`
    select name, phone, address, landmark, note, remarks, area_id as "areaId", list_on as "listOn", first_delivery_on(orders) is not null as "isSplit", json_build_object('subtotal', subtotal_poisha,
      'shipping', shipping_poisha, 'discount', discount_poisha, 'total', total_poisha) as sums, ${maxShippingOf(sql`orders.id`)} as "maxShipping"
    from orders where id = ${orderId}`.execute(tx)
  const { rows: lines } = await sql<FrozenLine>`
    select l.product_id as "productId", l.quantity_milli as "quantityMilli", l.base_price_poisha as "basePrice", l.price_poisha as price,
      l.line_total_poisha as total, l.advance_poisha as advance, l.unit, p.is_unique as "isAnimal",
      l.booked_grams as "bookedGrams"
    from order_lines l join products p on p.id = l.product_id where l.order_id = ${orderId} order by l.position`.execute(tx)
  const order = rows[0]!
  const goods = sum(lines.map((line) => line.total))
  return { ...order, orderDiscount: poisha(order.sums.discount - (order.sums.subtotal - goods)), lines }
}
