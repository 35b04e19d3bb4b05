import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

// The rows of money and stock. Versions and times of products follow a rejected sale of the POS, too.
const TABLES = [
  'orders',
  'order_lines',
  'ledger_entries',
  'stock_movements',
  'animal_holds',
  'coupon_uses',
  'coupons',
  'pos_sales',
  'pos_returns',
  'pos_return_lines',
  'pos_cash_movements',
  'pos_shifts',
  'settlements',
  'store_credit_entries',
  'account_sales',
  'account_payments',
  'advance_reports',
  'gateway_refunds',
  'stock_takes',
  'stock_take_lines',
  'sms_outbox',
  'order_events',
]

/** One text for each table that holds money or stock: a rejected request leaves all of them as they were. */
export async function stateDigest(db: Db): Promise<Record<string, string>> {
  const digests = [
    ...TABLES.map(
      (table) => sql`select ${sql.lit(table)} as name, md5(string_agg(t::text, ',' order by t::text)) as digest from ${sql.table(table)} t`,
    ),
    sql`select 'products' as name, md5(string_agg(concat_ws(':', id, status, hold_reason, stock_milli, visible), ',' order by id)) as digest from products`,
  ]
  const { rows } = await sql<{ name: string; digest: string | null }>`${sql.join(digests, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest ?? '']))
}
