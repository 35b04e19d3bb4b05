import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetCursor, type KeysetPage, keysetPage } from '#lib/db/keyset.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { REPORT_AMOUNT } from './advance-reports.server.ts'
import { ADVANCE_METHODS, type AdvanceMethod } from '../types.ts'
import type { AdvanceHistoryFilter, AdvanceState } from './advance-history-rules.ts'

/** A reported advance with its decision; money in taka. */
export interface ReportedAdvance {
  id: number
  order_id: number
  name: string
  phone: string
  method: AdvanceMethod
  transaction_id: string
  sender: string
  amount: number
  state: AdvanceState
  at: string
  decided_at: string | null
  /** The member of staff who decided. */
  decided_by: string | null
  /** Why it was rejected; empty for others. */
  reason: string
}

const PAGE_SIZE = 50

/** One page of all reported advances, the latest report first. */
export async function listReportedAdvances(
  db: Db,
  filter: AdvanceHistoryFilter,
  cursor: KeysetCursor,
): Promise<KeysetPage<ReportedAdvance>> {
  const { beyond, direction } = numericCursor(sql`r.id`, cursor)
  const { rows } = await sql<WithDates<ReportedAdvance, 'at' | 'decided_at'>>`
    select r.id, r.order_id, o.name, o.phone, r.method, r.transaction_id, r.sender, ${REPORT_AMOUNT}::float8 / 100 as amount, r.state,
      r.created_at as at, r.decided_at, u.name as decided_by, r.reason
    from advance_reports r join orders o on o.id = r.order_id left join users u on u.id = r.decided_by
    where ${filter.state ? sql`r.state = ${filter.state}` : sql`true`} and ${hasTerm(filter)} and ${beyond}
    order by r.id ${direction} limit ${PAGE_SIZE + 1}`.execute(db)
  return keysetPage(rows.map(datesToText), cursor, PAGE_SIZE, (row) => [row.id])
}

/** Each part of the union uses an index of its own. */
function hasTerm({ term }: AdvanceHistoryFilter) {
  if (term === null) return sql`true`
  const { orderId, phone, transactionIds } = term
  return sql`r.id in (select id from advance_reports where order_id = ${orderId}::bigint
    union all select id from advance_reports where method = any(${[...ADVANCE_METHODS]}::text[]) and transaction_id = any(${[...transactionIds]}::text[])
    union all select id from advance_reports where sender = ${phone}::text
    union all select c.id from orders p join advance_reports c on c.order_id = p.id where p.phone = ${phone}::text)`
}
