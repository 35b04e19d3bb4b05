import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { IS_MONEY } from '#features/ledger/ledger.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { poisha, poishaToTaka } from '#lib/format/money.ts'
import { lockAccount, type StatementAccount } from './accounts.server.ts'
import { isOnOpenDay } from './match-rows.server.ts'

// Decisions of a person about one row of a statement.

export type RowDecided =
  | { ok: true }
  /** `decided`: it has a match or explanation, or none where one is removed. `entries`: one is missing, matched, or of another method. */
  | { ok: false; reason: 'missing' | 'closed' | 'decided' | 'entries' }

interface LockedRow {
  id: number
  accountId: number
  day: string
  amountPoisha: number
  reference: string | null
  explanation: string | null
  /** The entries that it is matched with. */
  entries: number[]
  isClosed: boolean
}

/** Matches a row with entries. Their sum may differ from the row: fees are taken off a payout. */
export async function matchByHand(
  db: Db,
  actor: Actor,
  rowId: number,
  { entries, reason }: { entries: readonly number[]; reason: string },
  now: Date,
): Promise<RowDecided> {
  const ids = [...new Set(entries)].toSorted((a, b) => a - b)
  try {
    return await decide(db, rowId, async (tx, row, account) => {
      if (isDecided(row)) return { ok: false, reason: 'decided' }
      const { numAffectedRows } = await sql`
        insert into statement_matches (entry_id, row_id, kind, reason, matched_by, matched_at)
        select e.id, ${rowId}, 'manual', ${reason}, ${actor.id}, ${now} from ledger_entries e
        where e.id = any(${ids}::bigint[]) and e.method = ${account.method} and ${IS_MONEY} order by e.id`.execute(tx)
      if (Number(numAffectedRows ?? 0) !== ids.length) throw new EntriesMissing()
      await audit(tx, actor, { action: 'matched', subject: 'statement-row', id: rowId, after: { ...described(row), entries: ids, reason } })
      return { ok: true }
    })
  } catch (error) {
    if (error instanceof EntriesMissing || constraintOf(error) === 'statement_matches_pkey') return { ok: false, reason: 'entries' }
    throw error
  }
}

/** Rolls the transaction back. */
class EntriesMissing extends Error {}

/** Marks a row as one without ledger entry, such as a fee. */
export function explainRow(db: Db, actor: Actor, rowId: number, reason: string, now: Date): Promise<RowDecided> {
  return decide(db, rowId, async (tx, row) => {
    if (isDecided(row)) return { ok: false, reason: 'decided' }
    await sql`update statement_rows set explanation = ${reason}, explained_by = ${actor.id}, explained_at = ${now} where id = ${rowId}`.execute(
      tx,
    )
    await audit(tx, actor, { action: 'noted', subject: 'statement-row', id: rowId, after: { ...described(row), reason } })
    return { ok: true }
  })
}

/** Removes the match or the explanation of a row. It is not matched by itself again. */
export function unmatchRow(db: Db, actor: Actor, rowId: number, reason: string): Promise<RowDecided> {
  return decide(db, rowId, async (tx, row) => {
    if (!isDecided(row)) return { ok: false, reason: 'decided' }
    await sql`delete from statement_matches where row_id = ${rowId}`.execute(tx)
    await sql`update statement_rows set is_automatic = false, explanation = null, explained_by = null, explained_at = null where id = ${rowId}`.execute(
      tx,
    )
    const before = { entries: row.entries, note: row.explanation }
    await audit(tx, actor, { action: 'unmatched', subject: 'statement-row', id: rowId, before, after: { ...described(row), reason } })
    return { ok: true }
  })
}

const isDecided = ({ entries, explanation }: LockedRow) => entries.length > 0 || explanation !== null

const described = ({ accountId, day, amountPoisha, reference }: LockedRow) => ({
  account: accountId,
  day,
  amount: poishaToTaka(poisha(amountPoisha)),
  transaction_id: reference,
})

async function decide(
  db: Db,
  rowId: number,
  write: (tx: Db, row: LockedRow, account: StatementAccount) => Promise<RowDecided>,
): Promise<RowDecided> {
  return inTransaction(db, async (tx): Promise<RowDecided> => {
    const { rows: owners } = await sql<{ account_id: number }>`select account_id from statement_rows where id = ${rowId}`.execute(tx)
    if (!owners[0]) return { ok: false, reason: 'missing' }
    const account = (await lockAccount(tx, owners[0].account_id))!
    const { rows } = await sql<SnakeCased<LockedRow>>`
      select r.id, r.account_id as account_id, to_char(r.day, 'YYYY-MM-DD') as day, r.amount_poisha as amount_poisha, r.reference, r.explanation,
        array(select entry_id from statement_matches where row_id = r.id order by entry_id) as entries,
        not ${isOnOpenDay} as is_closed
      from statement_rows r where r.id = ${rowId}`.execute(tx)
    // Its upload was deleted before the account was locked.
    if (!rows[0]) return { ok: false, reason: 'missing' }
    const row = toCamel<LockedRow>(rows[0])
    return row.isClosed ? { ok: false, reason: 'closed' } : write(tx, row, account)
  })
}
