import { sql } from 'kysely'
import { IS_MONEY } from '#features/ledger/ledger.server.ts'
import type { LedgerKind } from '#features/ledger/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetCursor, type KeysetPage, keysetPage } from '#lib/db/keyset.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { dhakaDay, isOnDays } from '#lib/db/dhaka-day.server.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'
import type { StatementAccount } from './accounts.server.ts'
import { isOpenEntry, isOpenRow, isReversedRefund } from './match-rows.server.ts'
import { MAX_ENTRIES_OF_ROW, type StatementMethod } from './rules.ts'

/** An account in the list. */
export interface ListedAccount {
  id: number
  name: string
  method: StatementMethod
  /** The last day of its statement rows. */
  last_day: string | null
  last_upload: string | null
}

const MAX_ACCOUNTS = 100

export async function listAccounts(db: Db): Promise<ListedAccount[]> {
  const { rows } = await sql<WithDates<ListedAccount, 'last_upload'>>`
    select a.id, a.name, a.method, (select to_char(max(r.day), 'YYYY-MM-DD') from statement_rows r where r.account_id = a.id) as last_day,
      (select u.uploaded_at from statement_uploads u where u.account_id = a.id order by u.id desc limit 1) as last_upload
    from statement_accounts a order by a.name, a.id limit ${MAX_ACCOUNTS}`.execute(db)
  return rows.map(datesToText)
}

/** An uploaded file. */
export interface StatementUpload {
  id: number
  file_name: string
  row_count: number
  new_count: number
  by: string
  at: string
}

/** A wrong one may be noticed weeks later, and is deleted from this list. */
const MAX_UPLOADS = 50

export async function listUploads(db: Db, accountId: number): Promise<StatementUpload[]> {
  const { rows } = await sql<WithDates<StatementUpload, 'at'>>`
    select p.id, p.file_name, p.row_count, p.new_count, u.name as by, p.uploaded_at as at from statement_uploads p join users u on u.id = p.uploaded_by
    where p.account_id = ${accountId} order by p.id desc limit ${MAX_UPLOADS}`.execute(db)
  return rows.map(datesToText)
}

/** The two sides of a day in poisha. `books`: the entries of the method that are not matched with another account, without failed refunds. */
export interface ReconciliationDay {
  day: string
  rows: number
  statement_poisha: Poisha
  open_rows: number
  entries: number
  books_poisha: Poisha
  open_entries: number
  /** The sums of both sides, and the number of open rows and entries, are those of the closing. */
  closed: { by: string; at: string; note: string; statement_poisha: Poisha; books_poisha: Poisha; open: number } | null
}

interface Days {
  from: string
  to: string
}

/** Entries `e` of the account's method; those matched with rows of other accounts, and those that are on no statement, are left out. */
const entriesOf = ({ id, method }: Pick<StatementAccount, 'id' | 'method'>, { from, to }: Days) => sql`
  (select * from ledger_entries where method = ${method} and ${IS_MONEY} and ${isOnDays(sql`at`, from, to)}) e
  left join statement_matches x on x.entry_id = e.id left join statement_rows xr on xr.id = x.row_id
  where (xr.account_id is null or xr.account_id = ${id}) and not ${isReversedRefund}`

/** The days of a period with rows or entries, the latest first. */
export async function listDays(db: Db, account: Pick<StatementAccount, 'id' | 'method'>, period: Days): Promise<ReconciliationDay[]> {
  const { rows } = await sql<ReconciliationDay>`
    with statement as (
      select r.day, count(*)::int as rows, sum(r.amount_poisha) as poisha, (count(*) filter (where ${isOpenRow}))::int as open
      from statement_rows r where r.account_id = ${account.id} and r.day between ${period.from}::date and ${period.to}::date group by r.day),
    books as (
      select ${dhakaDay(sql`e.at`)} as day, count(*)::int as entries, sum(e.amount_poisha) as poisha,
        (count(*) filter (where x.entry_id is null))::int as open
      from ${entriesOf(account, period)} group by 1)
    select to_char(day, 'YYYY-MM-DD') as day, coalesce(s.rows, 0) as rows, coalesce(s.poisha, 0)::bigint as statement_poisha,
      coalesce(s.open, 0) as open_rows, coalesce(b.entries, 0) as entries, coalesce(b.poisha, 0)::bigint as books_poisha,
      coalesce(b.open, 0) as open_entries,
      (select json_build_object('by', u.name, 'at', d.closed_at, 'note', d.note, 'statement_poisha', d.statement_poisha, 'books_poisha', d.books_poisha, 'open', d.open_rows + d.open_entries) from reconciled_days d join users u on u.id = d.closed_by
        where d.account_id = ${account.id} and d.day = day.day) as closed
    from (select day from statement union select day from books
      union select day from reconciled_days where account_id = ${account.id} and day between ${period.from}::date and ${period.to}::date) day
    left join statement s using (day) left join books b using (day) order by day.day desc`.execute(db)
  return rows
}

/** The same of one day; zeros when it has nothing. */
export async function findDay(db: Db, account: Pick<StatementAccount, 'id' | 'method'>, day: string): Promise<ReconciliationDay> {
  const [found] = await listDays(db, account, { from: day, to: day })
  return found ?? { day, rows: 0, statement_poisha: ZERO, open_rows: 0, entries: 0, books_poisha: ZERO, open_entries: 0, closed: null }
}

/** A ledger entry beside a statement. */
export interface BookEntry {
  id: number
  at: string
  order_id: number | null
  name: string | null
  kind: LedgerKind
  reference: string | null
  amount_poisha: Poisha
}

/** A row of the statement, with what was decided about it. */
export interface ListedRow {
  id: number
  line: number
  amount_poisha: Poisha
  reference: string | null
  details: string
  /** The first entries that it is matched with. */
  entries: BookEntry[]
  match: 'reference' | 'amount' | 'manual' | 'explained' | null
  reason: string | null
  by: string | null
}

const PAGE_SIZE = 100

/** One page of a day's rows: the open ones, or the matched and explained ones. */
export async function listRows(
  db: Db,
  accountId: number,
  { day, isOpen }: { day: string; isOpen: boolean },
  cursor: KeysetCursor,
): Promise<KeysetPage<ListedRow>> {
  const { beyond, direction } = numericCursor(sql`r.id`, { ...cursor, order: 'asc' })
  const { rows } = await sql<ListedRow>`
    select r.id, r.line, r.amount_poisha, r.reference, r.details, coalesce(m.entries, '[]') as entries,
      case when r.explanation is not null then 'explained' else m.kind end as match, coalesce(r.explanation, m.reason) as reason,
      (select name from users u where u.id = coalesce(r.explained_by, m.matched_by)) as by
    from statement_rows r left join lateral (
      select json_agg(json_build_object('id', e.id, 'at', e.at, 'order_id', e.order_id, 'name', o.name, 'kind', e.kind, 'reference', e.reference,
        'amount_poisha', e.amount_poisha) order by e.id) as entries, min(m.kind) as kind, min(m.reason) as reason, min(m.matched_by) as matched_by
      from statement_matches m join ledger_entries e on e.id = m.entry_id left join orders o on o.id = e.order_id where m.row_id = r.id) m on true
    where r.account_id = ${accountId} and r.day = ${day}::date and ${isOpen ? isOpenRow : sql`not (${isOpenRow})`} and ${beyond}
    order by r.id ${direction} limit ${PAGE_SIZE + 1}`.execute(db)
  return keysetPage(rows, cursor, PAGE_SIZE, (row) => [row.id])
}

const BOOK_ENTRY = sql`e.id, e.at, e.order_id, o.name, e.kind, e.reference, e.amount_poisha`

/** One page of a day's entries that are on no statement. */
export async function listOpenEntries(
  db: Db,
  account: Pick<StatementAccount, 'id' | 'method'>,
  day: string,
  cursor: KeysetCursor,
): Promise<KeysetPage<BookEntry>> {
  const { beyond, direction } = numericCursor(sql`e.id`, { ...cursor, order: 'asc' })
  const { rows } = await sql<WithDates<BookEntry, 'at'>>`
    select ${BOOK_ENTRY} from (select e.* from ${entriesOf(account, { from: day, to: day })} and x.entry_id is null) e
    left join orders o on o.id = e.order_id where ${beyond} order by e.id ${direction} limit ${PAGE_SIZE + 1}`.execute(db)
  return keysetPage(rows.map(datesToText), cursor, PAGE_SIZE, (row) => [row.id])
}

const DAYS_AROUND = 7
/** A bank pays out the card payments of some days in one row. */
const MAX_CANDIDATES = MAX_ENTRIES_OF_ROW
/** Candidates that stand in front because of their amount. */
const NEAREST_AMOUNTS = 10

/**
 * Open entries that a row may belong to: the same transaction id at any time, then those of the days around it, the nearest amounts first and
 * the others by their distance in time. Null when there is no such row.
 */
export async function listCandidates(db: Db, rowId: number): Promise<BookEntry[] | null> {
  const { rows: found } = await sql<{ method: StatementMethod; day: string; reference: string | null; amount_poisha: Poisha }>`
    select a.method, to_char(r.day, 'YYYY-MM-DD') as day, r.reference, r.amount_poisha from statement_rows r
    join statement_accounts a on a.id = r.account_id where r.id = ${rowId}`.execute(db)
  const row = found[0]
  if (!row) return null
  const distance = sql`abs(extract(epoch from e.at - ${dhakaInstant(row.day, '12:00')}::timestamptz))`
  const isEntry = sql`e.method = ${row.method} and ${IS_MONEY} and ${isOpenEntry}`
  const { rows } = await sql<WithDates<BookEntry, 'at'>>`
    select ${BOOK_ENTRY} from (select e.*, least(row_number() over (order by e.place, abs(e.amount_poisha - ${row.amount_poisha}), ${distance}, e.id),
        ${NEAREST_AMOUNTS} + 1) as rank from (
      select e.*, 0 as place from ledger_entries e where e.reference = ${row.reference} and ${isEntry}
      union all
      select e.*, 1 from ledger_entries e where ${isOnDays(sql`e.at`, addDays(row.day, -DAYS_AROUND), addDays(row.day, DAYS_AROUND))}
        and (e.reference = ${row.reference}::text) is not true and ${isEntry}
    ) e) e left join orders o on o.id = e.order_id
    order by e.rank, ${distance}, e.id
    limit ${MAX_CANDIDATES}`.execute(db)
  return rows.map(datesToText)
}
