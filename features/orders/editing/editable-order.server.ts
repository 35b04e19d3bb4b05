import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { type Poisha, sum } from '#lib/format/money.ts'
import { type AdminSums, type FrozenLine, orderDiscountOf } from './pricing-rules.ts'

/** The fields of an order that the admin may edit. */
export interface EditableOrder {
  name: string
  phone: string
  address: string
  landmark: string
  note: string
  remarks: string
  areaId: number | null
  listOn: string
  /** The customer collects the order. */
  isCollection: boolean
  /** The order has two deliveries, for two charges. */
  isSplit: boolean
  /** It comes in two deliveries while its products have two dates (`isSplit`). */
  hasTwoDeliveries: boolean
  /** The discount on the whole order, by a coupon or the admin, without the discounts of lines. */
  orderDiscount: Poisha
  /** The maximum delivery charge under the order's free-shipping coupon; null without one. */
  maxShipping: Poisha | null
  /** What the order's coupon took off products and delivery; null without a coupon. */
  couponUse: { discount: Poisha; deliverySaved: Poisha } | null
  sums: AdminSums
  lines: FrozenLine[]
}

/** The maximum delivery charge of an order in poisha under its free-shipping coupon, as the coupon was then; null without one. */
export const maxShippingOf = (orderId: RawBuilder<unknown>) => sql<Poisha | null>`(select coalesce(u.value_poisha, c.value_poisha)::bigint
  from coupon_uses u join coupons c on c.id = u.coupon_id where u.order_id = ${orderId} and coalesce(u.kind, c.kind) = 'free_shipping')`

/** Reads the editable fields of an existing order. */
export async function readEditable(tx: Db, orderId: number): Promise<EditableOrder> {
  const { rows } = await sql<SnakeCased<Omit<EditableOrder, 'orderDiscount' | 'lines'>>>`
    select name, phone, address, landmark, note, remarks, area_id, list_on, is_collection, first_delivery_on(orders) is not null as is_split,
      deliveries = 2 as has_two_deliveries,
      json_build_object('subtotal', subtotal_poisha, 'shipping', shipping_poisha, 'discount', discount_poisha, 'total', total_poisha) as sums,
      ${maxShippingOf(sql`orders.id`)} as max_shipping, (select json_build_object('discount', u.discount_poisha, 'deliverySaved', u.delivery_saved_poisha)
        from coupon_uses u where u.order_id = orders.id) as coupon_use
    from orders where id = ${orderId}`.execute(tx)
  const lines = await tx
    .selectFrom('order_lines as l')
    .innerJoin('products as p', 'p.id', 'l.product_id')
    .select([
      'l.product_id',
      'l.quantity_milli',
      'l.base_price_poisha as base_price',
      'l.price_poisha as price',
      'l.line_total_poisha as total',
      'l.discount_poisha as discount',
    ])
    .select(['l.advance_poisha as advance', 'l.unit', 'p.is_unique as is_animal', 'l.booked_grams', 'l.delivery_on'])
    .where('l.order_id', '=', orderId)
    .orderBy('l.position')
    .execute()
  const order = toCamel<Omit<EditableOrder, 'orderDiscount' | 'lines'>>(rows[0]!)
  const productsTotal = sum(lines.map((line) => line.total))
  return { ...order, orderDiscount: orderDiscountOf({ ...order.sums, productsTotal }), lines: lines.map(toCamel<FrozenLine>) }
}
