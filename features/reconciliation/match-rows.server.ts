import { sql } from 'kysely'
import { IS_MONEY } from '#features/ledger/ledger.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { hasReliableIds, type StatementMethod } from './rules.ts'

/** Rows `r` without match and explanation, on days that are not closed. */
export const isOpenRow = sql`r.explanation is null and not exists (select 1 from statement_matches m where m.row_id = r.id)`
const isOnOpenDay = sql`not exists (select 1 from reconciled_days d where d.account_id = r.account_id and d.day = r.day)`
/** Entries `e` without match. */
export const isOpenEntry = sql`not exists (select 1 from statement_matches m where m.entry_id = e.id)`

interface Account {
  id: number
  method: StatementMethod
}

/** Matches all open rows of an account that no person has decided about. Returns the number of matches. The account must be locked. */
export async function matchRows(tx: Db, account: Account, actorId: number, now: Date): Promise<number> {
  return (await matchByReference(tx, account, actorId, now)) + (await matchByAmount(tx, account, actorId, now))
}

const candidates = ({ id }: Account) => sql`r.account_id = ${id} and r.is_automatic and ${isOpenRow} and ${isOnOpenDay}`

/** The ledger has an id once for each method. An id with another amount is left to a person. */
async function matchByReference(tx: Db, account: Account, actorId: number, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into statement_matches (entry_id, row_id, kind, matched_by, matched_at)
    select distinct on (e.id) e.id, r.id, 'reference', ${actorId}::bigint, ${now}::timestamptz
    from statement_rows r join ledger_entries e on e.method = ${account.method} and e.reference = r.reference and e.amount_poisha = r.amount_poisha
    where ${candidates(account)} and ${IS_MONEY} and ${isOpenEntry}
    order by e.id, r.id
    on conflict (entry_id) do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Matches by day and amount where each side has exactly one candidate. With reliable ids two different ids are no candidates for each other,
 * so sides are counted with and without an id. Both sides are grouped in one pass: a join of new rows would be planned without statistics.
 */
async function matchByAmount(tx: Db, account: Account, actorId: number, now: Date): Promise<number> {
  const isStrict = hasReliableIds(account.method)
  const { numAffectedRows } = await sql`
    with open_rows as materialized (
      select r.id, r.day, r.amount_poisha, r.reference is null as is_bare from statement_rows r where ${candidates(account)}),
    period as materialized (
      select min(day)::timestamp at time zone 'Asia/Dhaka' as starts, (max(day) + 1)::timestamp at time zone 'Asia/Dhaka' as ends from open_rows),
    sides as (
      select id as row_id, null::bigint as entry_id, day, amount_poisha, is_bare from open_rows
      union all
      select null, e.id, (e.at at time zone 'Asia/Dhaka')::date, e.amount_poisha, e.reference is null from ledger_entries e
      where e.method = ${account.method} and e.at >= (select starts from period) and e.at < (select ends from period) and ${IS_MONEY} and ${isOpenEntry}),
    groups as (
      select count(row_id) filter (where is_bare) as bare_rows, count(row_id) filter (where not is_bare) as named_rows,
        count(entry_id) filter (where is_bare) as bare_entries, count(entry_id) filter (where not is_bare) as named_entries,
        min(row_id) filter (where is_bare) as bare_row, min(row_id) filter (where not is_bare) as named_row,
        min(entry_id) filter (where is_bare) as bare_entry, min(entry_id) filter (where not is_bare) as named_entry
      from sides group by day, amount_poisha having count(row_id) > 0 and count(entry_id) > 0)
    insert into statement_matches (entry_id, row_id, kind, matched_by, matched_at)
    select case when bare_entries = 1 then bare_entry else named_entry end, case when bare_rows = 1 then bare_row else named_row end, 'amount',
      ${actorId}::bigint, ${now}::timestamptz
    from groups
    where case when ${isStrict}
      then (bare_rows + named_rows = 1 and bare_entries = 1 and (named_rows = 1 or named_entries = 0))
        or (bare_rows = 1 and named_entries = 1 and bare_entries = 0)
      else bare_rows + named_rows = 1 and bare_entries + named_entries = 1 end
    on conflict (entry_id) do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
