import { sql } from 'kysely'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import type { Db } from '#lib/db/db.server.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import type { TestShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'
import type { Props as DayProps } from '#site/admin/payments/account-day.page.tsx'

/** A shop with one order for ledger entries, and the calls of its manager. */
export async function openStatementShop(db: Db, shop: TestShop) {
  const [area, mango] = [await buildArea(db, { produce: 80 }), await buildProduct(db)]
  const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  const orderId = (await shop.post('/customer-orders', body)).body.order_id!
  const manager = await signedIn(shop, 'manager')
  return {
    manager,
    /** Adds a ledger entry in taka and returns its id. */
    async entry(
      amount: number,
      { reference = null as string | null, at = '2026-11-20T12:00:00+06:00', method = 'bkash' } = {},
    ): Promise<number> {
      const { rows } = await sql<{ id: number }>`insert into ledger_entries (order_id, kind, method, amount_poisha, reference, at)
        values (${orderId}, ${amount < 0 ? 'refund' : 'advance'}, ${method}, ${amount * 100}, ${reference}, ${at}) returning id`.execute(db)
      return rows[0]!.id
    },
    async account(name: string, method = 'bkash'): Promise<number> {
      const answer = await manager.post('/admin/payments/accounts', { name, method })
      return (answer.body as { id: number }).id
    },
    upload: (accountId: number, csv: string, mapping: object | null = BKASH, who = manager): Promise<Answer> =>
      who.post(`/admin/payments/accounts/${accountId}/statement`, { csv, file_name: 'statement.csv', ...(mapping ? { mapping } : {}) }),
    async day(accountId: number, on: string, list?: string): Promise<DayProps> {
      const answer = await manager.get(`/admin/payments/accounts/${accountId}/${on}${list ? `?list=${list}` : ''}`, { accept: 'text/html' })
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`)
      return pageProps<DayProps>(answer.text)
    },
  }
}

/** The columns of `bkashFile`. */
export const BKASH = {
  day: 'Date',
  dayOrder: 'ymd',
  amount: 'Amount',
  credit: null,
  debit: null,
  reference: 'Trx ID',
  details: 'From',
}

/** A statement of a wallet: day, transaction id, amount, sender. */
export const bkashFile = (rows: [day: string, id: string, amount: string | number, from?: string][]): string =>
  ['Date,Trx ID,Amount,From', ...rows.map(([day, id, amount, from = '']) => `${day},${id},"${amount}",${from}`)].join('\n')

/** Deletes accounts, statements, and all ledger entries. */
export async function resetStatements(db: Db): Promise<void> {
  await sql`truncate statement_matches, statement_rows, statement_uploads, reconciled_days, statement_accounts restart identity`.execute(db)
  await sql`delete from ledger_entries`.execute(db)
  await sql`update orders set ledger_balance_poisha = 0, refunded_poisha = 0`.execute(db)
  await sql`delete from audit_log`.execute(db)
}

/** All matches as line of the row, entry and kind. */
export async function listMatches(db: Db): Promise<(number | string)[][]> {
  const { rows } = await sql<{ entry_id: number; line: number; kind: string }>`select m.entry_id, r.line, m.kind from statement_matches m
    join statement_rows r on r.id = m.row_id order by r.line, m.entry_id`.execute(db)
  return rows.map(({ entry_id, line, kind }) => [line, entry_id, kind])
}
