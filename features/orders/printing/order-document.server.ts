import { sql } from 'kysely'
import { smallestFileUrl } from '#features/catalog/media/picture-columns.server.ts'
import { IS_MONEY } from '#features/ledger/ledger.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import { ERASED, PLACEHOLDER_NAMES } from '#lib/format/shown-name.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { REPORT_AMOUNT } from '../advances/advance-reports.server.ts'
import { IS_IN_REVIEW } from '../delivery-dates.server.ts'
import { IS_HANDED_OVER, IS_TO_SEND } from '../status-conditions.server.ts'
import { RETURNED_MILLI } from '../returns/sold-order.server.ts'
import type { OrderJson } from '../types.ts'

/** Columns of `orderDocument`. */
export interface OrderDocument {
  document: Omit<OrderJson, 'paid' | 'settlement' | 'fee' | 'written_off' | 'due'>
  received_poisha: number
  settlement_poisha: number
  fee_poisha: number
  written_off_poisha: number
  due_poisha: number
}

/** As in the list of held animals: staff write bookings with cash on delivery, and wait for the advance of their animals. */
const ADVANCE_MISSING = sql`case when o.source = 'admin' and o.payment_type = 'cash_on_delivery' and ${IS_TO_SEND}
  then greatest(0, missing_advance(o)) / 100.0 else 0 end`

/** The coupon of the order `o`, and what it took off in taka (`OrderJson['coupon']`). */
export const USED_COUPON = sql`(select json_build_object('code', u.code, 'discount', u.discount_poisha / 100.0, 'delivery_saved', u.delivery_saved_poisha / 100.0)
  from coupon_uses u where u.order_id = o.id)`

/** `shownName` of the name or address of an order `o`. */
const shownIn = (lang: Lang, column: 'o.name' | 'o.address') =>
  sql`case ${sql.join(
    [...PLACEHOLDER_NAMES, ERASED].map((name) => sql`when ${sql.ref(column)} in (${name.en}, ${name.bn}) then ${name[lang]}`),
    sql` `,
  )} else ${sql.ref(column)} end`

/** Columns with all fields of orders `o` that the customer may see, in one language and one round trip. */
export function orderDocument(lang: Lang) {
  return sql`amount_received(o) as received_poisha, o.settlement_poisha, o.fee_poisha, o.written_off_poisha, amount_due(o) as due_poisha,
    json_build_object(
    'id', o.id, 'status', o.status, 'reason', o.reason, 'name', ${shownIn(lang, 'o.name')}, 'phone', o.phone, 'email', o.email,
    'alternate_phone', o.alternate_phone, 'address', ${shownIn(lang, 'o.address')}, 'landmark', o.landmark, 'note', o.note,
    'area_name', (select ${columnIn(lang, 'name')} from areas where id = o.area_id),
    'subtotal', o.subtotal_poisha / 100.0, 'shipping_cost', o.shipping_poisha / 100.0, 'discount', o.discount_poisha / 100.0,
    'total', o.total_poisha / 100.0, 'payment_type', o.payment_type, 'payment_gateway', o.payment_gateway,
    'payable', o.payable_poisha / 100.0, 'is_free_order', o.is_free_order, 'advance_missing', ${ADVANCE_MISSING}, 'deliver_on', o.deliver_on,
    'first_delivery_on', first_delivery_on(o), 'is_collection', o.is_collection, 'is_over_counter', is_over_counter(o), 'placed_at', o.placed_at,
    'expires_at', o.expires_at, 'is_in_review', ${IS_IN_REVIEW}, 'phone_verified', o.phone_verified, 'tracking_url', '/track/' || o.tracking_code,
    'is_reviewed', ${IS_HANDED_OVER} and not exists (select 1 from order_lines l where l.order_id = o.id and not exists (
      select 1 from reviews where order_id = o.id and product_id = l.product_id and state = 'published')),
    'has_cattle', exists (select 1 from order_lines l join products p on p.id = l.product_id join categories c on c.id = p.category_id
      where l.order_id = o.id and c.delivery_group = 'cattle'),
    'lines', coalesce((select json_agg(json_build_object('product_id', l.product_id, 'name', ${columnIn(lang, 'l.name')}, 'unit', l.unit,
      'quantity', l.quantity_milli / 1000.0, 'returned', ${RETURNED_MILLI} / 1000.0, 'base_price', l.base_price_poisha / 100.0, 'price_on_order', l.price_poisha / 100.0,
      'line_total', l.line_total_poisha / 100.0, 'tag_number', l.tag_number, 'note', l.note, 'booked_kg', l.booked_grams / 1000.0,
      'booked_rate_per_kg', l.booked_rate_poisha / 100.0, 'delivery_on', line_delivery_on(o, l.delivery_on),
      'picture_url', (select ${smallestFileUrl} from product_media m join images i on i.id = m.image_id
        where m.product_id = l.product_id order by m.position limit 1)) order by l.position) from order_lines l where l.order_id = o.id), '[]'),
    'coupon', ${USED_COUPON},
    'payments', coalesce((select json_agg(json_build_object('kind', kind, 'method', method, 'amount', amount_poisha / 100.0, 'reference', reference,
      'at', at) order by id) from ledger_entries where order_id = o.id and ${IS_MONEY}), '[]'),
    'settlements', coalesce((select json_agg(json_build_object('tag_number', l.tag_number, 'old_kg', s.old_grams / 1000.0,
      'new_kg', s.new_grams / 1000.0, 'rate_per_kg', s.rate_poisha / 100.0, 'difference', coalesce(-e.amount_poisha, 0) / 100.0, 'at', s.at)
      order by s.at, s.weigh_in_id) from settlements s left join ledger_entries e on e.id = s.ledger_entry_id
      left join order_lines l on l.order_id = s.order_id and l.product_id = s.product_id where s.order_id = o.id), '[]'),
    'attempt', (select json_build_object('gateway', gateway, 'state', state, 'amount', amount_poisha / 100.0, 'redirect_url', redirect_url,
      'is_rest', is_rest, 'is_cancelled', state = 'failed' and failure = 'cancelled')
      from payment_attempts where order_id = o.id
      order by state = 'review' and amount_received(o) < o.payable_poisha desc, id desc limit 1),
    'advances', coalesce((select json_agg(json_build_object('method', r.method, 'transaction_id', r.transaction_id, 'amount', ${REPORT_AMOUNT} / 100.0,
      'state', r.state, 'is_duplicate', r.is_duplicate, 'at', r.created_at) order by r.id) from advance_reports r where r.order_id = o.id), '[]'),
    'events', coalesce((select json_agg(json_build_object('at', at, 'kind', kind, 'to_status', to_status) order by id) from order_events
      where order_id = o.id and kind <> 'comment'), '[]')
  ) as document`
}

/** Converts the row to the order that the customer sees, with amounts in taka. */
export function withSums({
  document,
  received_poisha,
  settlement_poisha,
  fee_poisha,
  written_off_poisha,
  due_poisha,
}: OrderDocument): OrderJson {
  return {
    ...document,
    paid: received_poisha / 100,
    settlement: settlement_poisha / 100,
    fee: fee_poisha / 100,
    written_off: written_off_poisha / 100,
    due: due_poisha / 100,
  }
}
