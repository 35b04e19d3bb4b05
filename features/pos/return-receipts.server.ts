import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { RECEIPT_METHODS } from './rules.ts'

/** A return as printed on its receipt; money in taka. */
export interface ReturnReceipt {
  id: number
  /** Null for a return without a receipt. */
  order_id: number | null
  at: string
  cashier: string
  /** The supervisor, where one approved another's return. */
  approved_by: string | null
  name: string
  phone: string
  reason: string
  refund: number
  /** What rounding added to the cash; zero without rounding. */
  rounding: number
  /** The refund by payment method. */
  money: { method: (typeof RECEIPT_METHODS)[number]; amount: number }[]
  /** The customer's store credit after the return; null without a refund as store credit. */
  store_credit_balance: number | null
  /** The sale that the customer took instead. */
  exchange_order_id: number | null
  lines: { product_id: number; name: string; tag_number: string | null; unit: string; quantity: number; goods: number; spoiled: boolean }[]
}

/**
 * A return for printing, in one language; null when there is none. `counterOnly`: only returns without an order and of POS sales, for staff
 * without `orders.read`.
 */
export async function findReturn(
  db: Db,
  id: number,
  { lang, counterOnly }: { lang: Lang; counterOnly: boolean },
): Promise<ReturnReceipt | null> {
  const name = sql`coalesce(${columnIn(lang, 'l.name')}, ${columnIn(lang, 'p.name')})`
  const { rows } = await sql<{ receipt: ReturnReceipt }>`
    select json_build_object('id', r.id, 'order_id', r.order_id, 'at', r.at, 'cashier', u.name, 'name', coalesce(o.name, ''),
      'approved_by', (select name from users where id = r.approved_by and id <> u.id), 'phone', coalesce(o.phone, r.phone), 'exchange_order_id', r.exchange_order_id, 'reason', r.reason,
      'refund', r.refund_poisha / 100.0,
      'store_credit_balance', (select balance_poisha / 100.0 from store_credit_entries where return_id = r.id),
      'rounding', coalesce((select sum(amount_poisha) / 100.0 from ledger_entries where return_id = r.id and kind = 'rounding'), (select (e.detail ->> 'rounding')::numeric from order_events e
        where e.order_id = r.order_id and e.kind = 'goods-returned' and (e.detail ->> 'return_id')::bigint = r.id), 0),
      'money', coalesce((select json_agg(json_build_object('method', method, 'amount', -amount_poisha / 100.0) order by id)
        from ledger_entries where return_id = r.id and kind = 'refund'), (select coalesce(json_agg(json_build_object('method', m, 'amount', (e.detail->>m)::numeric) order by array_position(${RECEIPT_METHODS}::text[], m)), '[]')
        from order_events e, unnest(${RECEIPT_METHODS}::text[]) m
        where e.order_id = r.order_id and e.kind = 'goods-returned' and (e.detail->>'return_id')::bigint = r.id and e.detail ? m and (e.detail->>m)::numeric <> 0)),
      'lines', coalesce((select json_agg(json_build_object('product_id', b.product_id, 'name', ${name}, 'tag_number', l.tag_number, 'unit', coalesce(l.unit, p.unit),
          'quantity', b.quantity_milli / 1000.0, 'goods', b.goods_poisha / 100.0, 'spoiled', b.is_spoiled) order by l.position)
        from pos_return_lines b join products p on p.id = b.product_id
          left join order_lines l on l.order_id = r.order_id and l.product_id = b.product_id where b.return_id = r.id), '[]')) as receipt
    from pos_returns r left join orders o on o.id = r.order_id left join pos_shifts s on s.id = r.shift_id join users u on u.id = coalesce(s.cashier_id, r.staff_id)
    where r.id = ${id} and (r.order_id is null or o.source = 'pos' or ${!counterOnly})`.execute(db)
  return rows[0]?.receipt ?? null
}
