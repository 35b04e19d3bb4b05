import { type RawBuilder, sql } from 'kysely'
import { IS_MONEY } from '#features/ledger/ledger.server.ts'
import { WALLETS } from '#features/orders/advances/transaction-id-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { dhakaDay, dhakaDayStart } from '#lib/db/dhaka-day.server.ts'
import type { StatementMethod } from './rules.ts'

/** Rows `r` without match and explanation. */
export const isOpenRow = sql`r.explanation is null and not exists (select 1 from statement_matches m where m.row_id = r.id)`
/** Rows `r` on days that are not closed. */
export const isOnOpenDay = sql`not exists (select 1 from reconciled_days d where d.account_id = r.account_id and d.day = r.day)`
/** Entries `e` without match. */
export const isOpenEntry = sql`not exists (select 1 from statement_matches m where m.entry_id = e.id)`

/**
 * Whether `e` is a refund that its gateway did not carry out, or the reversal of it, neither of which was found on a statement. One that was
 * carried out after all has two entries, of which the first has the gateway's id.
 */
export const isReversedRefund = sql`(e.kind = 'refund' and exists (select 1 from gateway_refunds f where f.order_id = e.order_id
  and f.reversal_entry_id is not null and e.id in (f.ledger_entry_id, f.reversal_entry_id)
  and not exists (select 1 from statement_matches m where m.entry_id in (f.ledger_entry_id, f.reversal_entry_id))))`

interface Account {
  id: number
  method: StatementMethod
}

/** Matches all open rows of an account that no person has decided about. Returns the number of matches. The account must be locked. */
export async function matchRows(tx: Db, account: Account, actorId: number, now: Date): Promise<number> {
  return (await matchByReference(tx, account, actorId, now)) + (await matchByAmount(tx, account, actorId, now))
}

const candidates = ({ id }: Account) => sql`r.account_id = ${id} and r.is_automatic and ${isOpenRow} and ${isOnOpenDay}`

/** Whether `e` is a part of a payment on account of which another part has a match. */
const isPartMatched = sql`exists (select 1 from ledger_entries p join statement_matches m on m.entry_id = p.id
  where p.account_payment_id = e.account_payment_id)`

/** What arrived with entry `e`: a payment on account pays several orders, and the first of its entries has the id. */
const arrived = sql`case when e.account_payment_id is null then e.amount_poisha
  else (select sum(p.amount_poisha) from ledger_entries p where p.account_payment_id = e.account_payment_id and p.method = e.method) end`

/** Writes matches of entries with rows; of a payment on account all entries. Returns the number of rows. */
async function insertMatches(
  tx: Db,
  { pairs, kind, actorId, now }: { pairs: RawBuilder<unknown>; kind: 'reference' | 'amount'; actorId: number; now: Date },
): Promise<number> {
  const { rows } = await sql<{ row_id: number }>`
    insert into statement_matches (entry_id, row_id, kind, matched_by, matched_at)
    select x.id, pair.row_id, ${kind}, ${actorId}::bigint, ${now}::timestamptz
    from (${pairs}) pair join ledger_entries e on e.id = pair.entry_id
    join lateral (select e.id union select p.id from ledger_entries p where p.account_payment_id = e.account_payment_id and p.method = e.method) x on true
    on conflict (entry_id) do nothing returning row_id`.execute(tx)
  return new Set(rows.map((row) => row.row_id)).size
}

/** The ledger has an id once for each method. An id with another amount is left to a person. */
function matchByReference(tx: Db, account: Account, actorId: number, now: Date): Promise<number> {
  const pairs = sql`
    select distinct on (e.id) e.id as entry_id, r.id as row_id
    from statement_rows r join ledger_entries e on e.method = ${account.method} and e.reference = r.reference and r.amount_poisha = ${arrived}
    where ${candidates(account)} and ${IS_MONEY} and ${isOpenEntry} and not ${isPartMatched}
    order by e.id, r.id`
  return insertMatches(tx, { pairs, kind: 'reference', actorId, now })
}

/**
 * Matches by day and amount where each side has exactly one candidate; a refund that failed is none, nor its reversal. With reliable ids two different ids are no candidates for each other,
 * so sides are counted with and without an id. Both sides are grouped in one pass: a join of new rows would be planned without statistics.
 * Entries are read by the days of open rows: one that stays open for years must not make the statement read all entries since. `offset 0` makes
 * each day read its own part of the index of times: PostgreSQL would compare all entries of the method with each day of a long statement.
 */
function matchByAmount(tx: Db, account: Account, actorId: number, now: Date): Promise<number> {
  const isStrict = WALLETS.includes(account.method)
  const pairs = sql`
    with open_rows as materialized (
      select r.id, r.day, r.amount_poisha, r.reference is null as is_bare from statement_rows r where ${candidates(account)}),
    days as materialized (
      select ${dhakaDayStart(sql`day`)} as starts, ${dhakaDayStart(sql`(day + 1)`)} as ends from open_rows group by day),
    sides as (
      select id as row_id, null::bigint as entry_id, day, amount_poisha, is_bare from open_rows
      union all
      select null, min(e.id), ${dhakaDay(sql`min(e.at)`)}, sum(e.amount_poisha), bool_and(e.reference is null)
      from (select id from days cross join lateral (select id, kind, method from ledger_entries where at >= days.starts and at < days.ends offset 0) of_day
        where method = ${account.method} and ${IS_MONEY}) found join ledger_entries e on e.id = found.id
      where ${isOpenEntry} and not ${isPartMatched} and not ${isReversedRefund}
      group by coalesce(-e.account_payment_id, e.id)),
    groups as (
      select count(row_id) filter (where is_bare) as bare_rows, count(row_id) filter (where not is_bare) as named_rows,
        count(entry_id) filter (where is_bare) as bare_entries, count(entry_id) filter (where not is_bare) as named_entries,
        min(row_id) filter (where is_bare) as bare_row, min(row_id) filter (where not is_bare) as named_row,
        min(entry_id) filter (where is_bare) as bare_entry, min(entry_id) filter (where not is_bare) as named_entry
      from sides group by day, amount_poisha having count(row_id) > 0 and count(entry_id) > 0)
    select case when bare_entries = 1 then bare_entry else named_entry end as entry_id, case when bare_rows = 1 then bare_row else named_row end as row_id
    from groups
    where case when ${isStrict}
      then (bare_rows + named_rows = 1 and bare_entries = 1 and (named_rows = 1 or named_entries = 0))
        or (bare_rows = 1 and named_entries = 1 and bare_entries = 0)
      else bare_rows + named_rows = 1 and bare_entries + named_entries = 1 end`
  return insertMatches(tx, { pairs, kind: 'amount', actorId, now })
}
