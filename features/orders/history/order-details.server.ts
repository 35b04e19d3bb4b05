import { sql } from 'kysely'
import { nameAuditedRecords } from '#features/audit/names.server.ts'
import { smallestFileUrl } from '#features/catalog/media/picture-columns.server.ts'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { poishaToTaka, sum, takaToPoisha } from '#lib/format/money.ts'
import { isEditable, nextStatuses, type OrderStatus } from '../rules.ts'
import type { LedgerKind } from '#features/ledger/rules.ts'
import { refundsUnderWay } from '#features/payments/refunds/queries.server.ts'
import type { AdvanceMethod, OrderJson, OrderSource } from '../types.ts'
import type { OrderedCoupon } from '../editing/coupon-edit-rules.ts'
import { findOrderedCoupon } from '../editing/edited-coupon.server.ts'
import { maxShippingOf } from '../editing/editable-order.server.ts'
import { orderDiscountOf } from '../editing/pricing-rules.ts'
import { gatewayMoney, type PaymentInReview, type Refundable, type RefundRow } from '../payments/gateway-payments.server.ts'
import { ledgerState } from '../payments/ledger-rules.ts'
import { PRE_BOOKED_AT } from '../pre-booked.server.ts'
import { USED_COUPON } from '../printing/order-document.server.ts'
import { RETURNED_MILLI, RETURNED_WORTH, WEIGHED_POISHA } from '../returns/sold-order.server.ts'
import { type OtherReport, otherReports, usedBy } from '../advances/waiting-advances.server.ts'
import type { AdvanceState } from '../advances/advance-history-rules.ts'

/** A line in the admin's editor; money in taka. */
export interface AdminOrderLine {
  product_id: number
  product_name: string
  unit: string
  quantity: number
  /** The quantity that came back. */
  returned: number
  /** What the final weighing added to the line total. */
  weighed: number
  base_price: number
  price_on_order: number
  line_total: number
  /** The discount on this line alone: of the POS, or its share of the coupon. */
  own_discount: number
  tag_number: string | null
  /** A note of the POS; empty: none. */
  note: string
  is_unique: boolean
  /** The delivery date. */
  delivery_on: string
  /** The delivery date of the product itself; null without one. */
  product_on: string | null
  /** The stock left for other orders; null when it is not tracked. */
  left: number | null
  delivery_group: DeliveryGroup
  /** The delivery charge of the product, used where an area has none. */
  delivery_charge: number
  picture_url: string | null
}

export interface AdminAdvance {
  id: number
  method: AdvanceMethod
  transaction_id: string
  sender: string
  amount: number
  state: AdvanceState
  at: string
  decided_at: string | null
  decided_by: string | null
  /** Reports of the same transaction id for other orders, newest first. */
  others: OtherReport[]
  /** The order whose ledger holds the transaction id, or null. */
  used_by: number | null
}

/** An order with all fields that the admin shows and edits. `statuses`: its own and those that may follow. Money in taka. */
export interface AdminOrder {
  id: number
  version: number
  source: OrderSource
  status: OrderStatus
  statuses: OrderStatus[]
  reason: string | null
  is_editable: boolean
  customer: { id: number; name: string; phone: string }
  name: string
  phone: string
  alternate_phone: string
  email: string
  address: string
  landmark: string
  note: string
  remarks: string
  area_id: number | null
  list_on: string
  /** The customer collects the order. */
  is_collection: boolean
  /** The products were handed over at the counter: no delivery. */
  is_over_counter: boolean
  /** The latest delivery date of its products: the order is not delivered before it. */
  goods_on: string | null
  /** The date of the first of two deliveries; null for one delivery. */
  first_delivery_on: string | null
  /** It comes in two deliveries while its products have two dates: without them, the first of two may have been made. */
  has_two_deliveries: boolean
  /** The date of the last delivery. */
  deliver_on: string
  placed_at: string
  expires_at: string | null
  needs_attention: string | null
  lang: Lang
  subtotal: number
  shipping_cost: number
  /** The maximum delivery charge under the order's free-shipping coupon; null without one. */
  max_shipping: number | null
  /** The discount on the whole order, without those of lines. */
  discount: number
  /** The coupon, sums in poisha, by which an edit of the lines lowers the discount; null where none does. */
  coupon: OrderedCoupon | null
  used_coupon: OrderJson['coupon']
  total: number
  /** Money received less refunds. */
  paid: number
  /** The change of the total by final weighings and returns; negative: cheaper. */
  settlement: number
  /** Retained of refunds. */
  fee: number
  /** Written off; negative: an overpayment that is retained. */
  written_off: number
  /** The most that may be refunded. */
  refundable_sum: number
  /** Refunds that a gateway has not accepted yet: sent, but not in `paid` and `due`. */
  refund_under_way: number
  /** The value of all returns so far, and whether there are any. */
  returned_worth: number
  has_returns: boolean
  /** The amount due; negative: to be refunded. */
  due: number
  money: 'settled' | 'due' | 'overpaid' | 'to-refund'
  /** The advance that the lines require. */
  advance: number
  /** When the Kurbani cow of the order was pre-booked; null without a pre-booking. */
  pre_booked_at: string | null
  lines: AdminOrderLine[]
  payments: { id: number; kind: LedgerKind; method: string; amount: number; reference: string | null; at: string; by: string | null }[]
  /** The reported advances, oldest first. */
  advances: AdminAdvance[]
  reviews: PaymentInReview[]
  refunds: RefundRow[]
  refundable: Refundable[]
  tags: string[]
  events: {
    id: number
    at: string
    kind: string
    actor: 'customer' | 'staff' | 'system' | 'gateway'
    by: string | null
    from: OrderStatus | null
    to: OrderStatus | null
    detail: Record<string, unknown>
  }[]
}

/** `document` has as many fields as PostgreSQL puts into one object. */
type Row = Pick<AdminOrder, 'used_coupon'> & {
  document: Omit<AdminOrder, 'statuses' | 'is_editable' | 'discount' | 'coupon' | 'used_coupon' | 'money'> & { whole_discount: number }
}

/** An order for the admin; null when it does not exist. */
export async function findAdminOrder(db: Db, id: number, lang: Lang, mayReopen: boolean): Promise<AdminOrder | null> {
  if (!Number.isSafeInteger(id) || id < 1) return null
  const { rows } =
    await sql<Row>`select ${document(lang)} as document, ${USED_COUPON} as used_coupon from orders o where o.id = ${id}`.execute(db)
  const found = rows[0]
  if (!found) return null
  const { whole_discount, ...order } = found.document
  const discount = orderDiscountOf({
    subtotal: takaToPoisha(order.subtotal),
    discount: takaToPoisha(whole_discount),
    productsTotal: sum(order.lines.map((line) => takaToPoisha(line.line_total))),
  })
  const isEditableNow = isEditable(order.status) && !order.has_returns
  const ids = order.lines.map((line) => line.product_id)
  return {
    ...order,
    used_coupon: found.used_coupon,
    coupon: isEditableNow && discount > 0 ? await findOrderedCoupon(db, id, ids) : null,
    events: await nameEditedLines(db, order.events, lang),
    discount: poishaToTaka(discount),
    money: ledgerState({ status: order.status, due: takaToPoisha(order.due) }),
    statuses: [order.status, ...nextStatuses(order.status, mayReopen && !order.has_returns)],
    is_editable: isEditableNow,
  }
}

type Events = AdminOrder['events']

/** The events with the names of products in the lines of edits, which are stored as `12: 1.5 × 120`. */
async function nameEditedLines(db: Db, events: Events, lang: Lang): Promise<Events> {
  const edits = events.filter(({ kind, detail }) => kind === 'edited' && 'lines' in detail)
  if (edits.length === 0) return events
  const linesOf = ({ detail }: Events[number]) => detail.lines as { from: string[]; to: string[] }
  const entries = edits
    .map(linesOf)
    .map(({ from, to }) => ({ subject: 'order', subject_id: '', before: { lines: from }, after: { lines: to } }))
  const names = await nameAuditedRecords(db, entries, lang)
  const named = (lines: string[]) => lines.map((line) => line.replace(/^\d+/, (id) => names[`product ${id}`] ?? id))
  return events.map((event) => {
    if (!edits.includes(event)) return event
    const { from, to } = linesOf(event)
    return { ...event, detail: { ...event.detail, lines: { from: named(from), to: named(to) } } }
  })
}

const document = (lang: Lang) => {
  const name = columnIn(lang, 'name')
  return sql`json_build_object(
    'id', o.id, 'version', o.version, 'source', o.source, 'status', o.status, 'reason', o.reason,
    'customer', (select json_build_object('id', u.id, 'name', u.name, 'phone', u.phone) from users u where u.id = o.customer_id),
    'name', o.name, 'phone', o.phone, 'alternate_phone', o.alternate_phone, 'email', o.email, 'address', o.address, 'landmark', o.landmark,
    'note', o.note, 'remarks', o.remarks, 'area_id', o.area_id, 'list_on', o.list_on, 'is_collection', o.is_collection, 'is_over_counter', is_over_counter(o), 'goods_on', o.goods_on, 'first_delivery_on', first_delivery_on(o), 'has_two_deliveries', o.deliveries = 2, 'deliver_on', o.deliver_on, 'placed_at', o.placed_at, 'expires_at', o.expires_at,
    'needs_attention', o.needs_attention, 'lang', o.lang, 'subtotal', o.subtotal_poisha / 100.0, 'shipping_cost', o.shipping_poisha / 100.0, 'max_shipping', ${maxShippingOf(sql`o.id`)} / 100.0,
    'has_returns', exists (select 1 from pos_returns r where r.order_id = o.id), 'whole_discount', o.discount_poisha / 100.0, 'total', o.total_poisha / 100.0, 'paid', amount_received(o) / 100.0,
    'settlement', o.settlement_poisha / 100.0, 'due', amount_due(o) / 100.0, 'fee', o.fee_poisha / 100.0, 'written_off', o.written_off_poisha / 100.0,
    'refundable_sum', amount_refundable(o) / 100.0, 'refund_under_way', ${refundsUnderWay(sql`o.id`)} / 100.0, 'returned_worth', ${RETURNED_WORTH} / 100.0,
    'advance', required_advance(o) / 100.0, 'pre_booked_at', ${PRE_BOOKED_AT},
    'lines', (select coalesce(json_agg(json_build_object('product_id', l.product_id, 'product_name', l.${name}, 'unit', l.unit,
        'quantity', l.quantity_milli / 1000.0, 'returned', ${RETURNED_MILLI} / 1000.0, 'weighed', ${WEIGHED_POISHA} / 100.0, 'base_price', l.base_price_poisha / 100.0, 'price_on_order', l.price_poisha / 100.0,
        'line_total', l.line_total_poisha / 100.0, 'own_discount', l.discount_poisha / 100.0, 'tag_number', l.tag_number, 'note', l.note, 'is_unique', p.is_unique, 'delivery_on', line_delivery_on(o, l.delivery_on), 'product_on', l.delivery_on, 'left', p.stock_milli / 1000.0,
        'delivery_group', c.delivery_group, 'delivery_charge', p.shipping_poisha / 100.0,
        'picture_url', (select ${smallestFileUrl} from product_media m join images i on i.id = m.image_id
          where m.product_id = l.product_id order by m.position limit 1)) order by l.position), '[]')
      from order_lines l join products p on p.id = l.product_id join categories c on c.id = p.category_id where l.order_id = o.id),
    'payments', coalesce((select json_agg(json_build_object('id', e.id, 'kind', e.kind, 'method', e.method, 'amount', e.amount_poisha / 100.0,
        'reference', e.reference, 'at', e.at, 'by', (select name from users where id = e.actor_id)) order by e.id)
      from ledger_entries e where e.order_id = o.id), '[]'),
    ${gatewayMoney},
    'advances', coalesce((select json_agg(json_build_object('id', c.id, 'method', c.method, 'transaction_id', c.transaction_id, 'sender', c.sender,
        'amount', c.amount_poisha / 100.0, 'state', c.state, 'at', c.created_at, 'decided_at', c.decided_at,
        'decided_by', (select name from users where id = c.decided_by), 'others', ${otherReports}, 'used_by', ${usedBy}) order by c.id) from advance_reports c where c.order_id = o.id), '[]'),
    'tags', array(select g.tag from order_tags g where g.order_id = o.id order by g.tag),
    'events', coalesce((select json_agg(json_build_object('id', v.id, 'at', v.at, 'kind', v.kind, 'actor', v.actor,
        'by', (select name from users where id = v.actor_id), 'from', v.from_status, 'to', v.to_status, 'detail', v.detail) order by v.id desc)
      from order_events v where v.order_id = o.id), '[]'))`
}
