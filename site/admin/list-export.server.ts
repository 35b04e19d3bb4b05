import { audit } from '#features/audit/audit.server.ts'
import { loggedFilter } from '#features/audit/logged-filter.ts'
import type { CsvCell, CsvFile } from '#lib/csv/csv.server.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { dhakaDate, dhakaTime } from '#lib/format/time.ts'
import type { AdminContext } from './admin-route.server.ts'

// Lists as CSV files. They hold names and phones, so that every export is recorded in the audit log.

interface ListExport<Row> {
  /** The list in the audit log, and in the file name. */
  subject: 'order' | 'customer' | 'payment' | 'sms' | 'audit' | 'stock-take' | 'booking'
  name: string
  head: string[]
  pages: AsyncIterable<Row[]>
  line(row: Row): CsvCell[]
}

/** The list as a file that is read in batches. The log gets its filters, and of a search only that there was one. */
export async function exportList<Row>(
  { db, staff, query, now }: Pick<AdminContext, 'db' | 'staff' | 'query' | 'now'>,
  { subject, name, head, pages, line }: ListExport<Row>,
): Promise<{ csv: CsvFile }> {
  const filter = loggedFilter(Object.entries(query))
  await inTransaction(db, (tx) => audit(tx, staff, { action: 'exported', subject, id: '', after: { filter } }))
  async function* lines() {
    for await (const rows of pages) yield rows.map(line)
  }
  return { csv: { filename: `khamar-${name}-${dhakaDate(now)}.csv`, head, rows: lines() } }
}

/** An instant in Dhaka as spreadsheets read it: `2026-11-24 14:05`. */
export function csvInstant(at: string): string {
  const instant = new Date(at)
  return `${dhakaDate(instant)} ${dhakaTime(instant)}`
}
