import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { ID_DIGITS } from '#lib/format/id.ts'
import { drawQr, type QrDrawing } from '#lib/codes/qr-code.server.ts'
import { MAX_PRINTED } from '../history/list-query-rules.ts'
import { type OrderDocument, orderDocument, withSums } from './order-document.server.ts'
import type { Unit } from '#features/catalog/types.ts'
import type { OrderJson } from '../types.ts'

/** How an order was sold at the POS; amounts are taka. */
export interface CounterSale {
  shift_id: number
  cashier: string
  /** The name of the register; may be empty. */
  register: string
  /** Cash handed over, change included. */
  cash: number
  change: number
  /** What was left on account, and what the customer owes at the time `at` of printing; null where all was paid. */
  account: { amount: number; balance: number; at: string } | null
  /** The customer's store credit after the sale; null for a sale without it. */
  store_credit_balance: number | null
  /** What came back for this sale; null for a sale that is no exchange. */
  exchange: PrintedExchange | null
}

/** The returned products of an exchange; amounts are taka. */
export interface PrintedExchange {
  /** The sale that they were bought with. */
  order_id: number
  /** Their refund, and the part of it that paid for this sale. */
  refund: number
  exchanged: number
  lines: { name_en: string; name_bn: string; unit: Unit; quantity: number }[]
}

/** An order with the QR code of its tracking page. */
export interface PrintedOrder {
  order: OrderJson
  /** Null for an order that was not sold at the POS. */
  sale: CounterSale | null
  /** The QR code, and the URL that it contains. */
  tracking: { qr: QrDrawing; url: string }
}

/**
 * The orders for a print view, in the order of `ids`, without missing ones. One round trip. For staff; the caller checks the permission.
 * `counterOnly`: only POS sales, for staff without `orders.read`.
 */
export async function listPrintedOrders(
  db: Db,
  ids: readonly number[],
  { lang, publicUrl, counterOnly = false }: { lang: Lang; publicUrl: string; counterOnly?: boolean },
): Promise<PrintedOrder[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<
    OrderDocument & { sale: CounterSale | null }
  >`select ${orderDocument(lang)}, ${counterSale} as sale from orders o
    where o.id = any(${ids}::bigint[]) and (o.source = 'pos' or ${!counterOnly})`.execute(db)
  const found = new Map(rows.map((row) => [row.document.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id)
    if (!row) return []
    const order = withSums(row)
    const url = publicUrl + order.tracking_url
    return [{ order, sale: row.sale, tracking: { qr: drawQr(url), url } }]
  })
}

/** The return that was exchanged for orders `o`, as `PrintedExchange` or null. */
const exchangeOfSale = sql`(select json_build_object('order_id', r.order_id, 'refund', r.refund_poisha / 100.0,
    'exchanged', (select coalesce(sum(e.amount_poisha), 0) from ledger_entries e where e.order_id = o.id and e.method = 'exchange' and e.amount_poisha > 0) / 100.0,
    'lines', coalesce((select json_agg(json_build_object('name_en', l.name_en, 'name_bn', l.name_bn, 'unit', l.unit, 'quantity', b.quantity_milli / 1000.0) order by l.position)
      from pos_return_lines b join order_lines l on l.order_id = r.order_id and l.product_id = b.product_id where b.return_id = r.id), '[]'))
  from pos_returns r where r.exchange_order_id = o.id)`

/** The POS sale of orders `o`, as `CounterSale` or null. */
const counterSale = sql`(select json_build_object('shift_id', s.shift_id, 'cashier', u.name, 'register', h.register, 'change', s.change_poisha / 100.0,
    'exchange', ${exchangeOfSale}, 'account', (select json_build_object('amount', a.amount_poisha / 100.0, 'balance', account_balance(o.customer_id) / 100.0, 'at', now())
      from account_sales a where a.order_id = o.id),
    'store_credit_balance', (select e.balance_poisha / 100.0 from store_credit_entries e where e.order_id = o.id),
    'cash', (s.change_poisha + (select coalesce(sum(e.amount_poisha), 0) from ledger_entries e
      where e.order_id = o.id and e.paid_with_order and e.method = 'cash')) / 100.0)
  from pos_sales s join pos_shifts h on h.id = s.shift_id join users u on u.id = h.cashier_id where s.order_id = o.id)`

/** Parses the ids of a print view (`?ids=1001,1002`). Drops duplicates and invalid parts. */
export function idsToPrint(text: string): number[] {
  const ids = text
    .slice(0, 5000)
    .split(',')
    .filter((part) => ID_DIGITS.test(part))
    .map(Number)
  return [...new Set(ids)].slice(0, MAX_PRINTED)
}
