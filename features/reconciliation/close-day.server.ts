import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { poisha, poishaToTaka } from '#lib/format/money.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { lockAccount } from './accounts.server.ts'
import { findDay } from './queries.server.ts'

export type DayClosed =
  | { ok: true }
  /** `changed`: rows or entries were added or matched since the manager looked. */
  | { ok: false; reason: 'missing' | 'closed' | 'open' | 'future' | 'changed' | 'note-required' }

/** Marks a day of an account as reconciled. Open rows and entries need a note. `open`: the open rows and entries that the manager saw. */
export function closeDay(
  db: Db,
  actor: Actor,
  accountId: number,
  { day, note, open }: { day: string; note: string; open: number },
  now: Date,
): Promise<DayClosed> {
  return inTransaction(db, async (tx): Promise<DayClosed> => {
    const account = await lockAccount(tx, accountId)
    if (!account) return { ok: false, reason: 'missing' }
    if (day > dhakaDate(now)) return { ok: false, reason: 'future' }
    const found = await findDay(tx, account, day)
    if (found.closed) return { ok: false, reason: 'closed' }
    if (found.open_rows + found.open_entries !== open) return { ok: false, reason: 'changed' }
    if (open > 0 && note === '') return { ok: false, reason: 'note-required' }
    await sql`insert into reconciled_days (account_id, day, statement_poisha, books_poisha, open_rows, open_entries, note, closed_by, closed_at)
      values (${accountId}, ${day}, ${found.statement_poisha}, ${found.books_poisha}, ${found.open_rows}, ${found.open_entries}, ${note},
        ${actor.id}, ${now})`.execute(tx)
    const sums = { statement: found.statement_poisha, books: found.books_poisha }
    const after = { day, statement: taka(sums.statement), books: taka(sums.books), open, note }
    await audit(tx, actor, { action: 'reconciled', subject: 'statement-account', id: accountId, after })
    return { ok: true }
  })
}

/** Opens a reconciled day again. */
export function reopenDay(db: Db, actor: Actor, accountId: number, { day, reason }: { day: string; reason: string }): Promise<DayClosed> {
  return inTransaction(db, async (tx): Promise<DayClosed> => {
    if (!(await lockAccount(tx, accountId))) return { ok: false, reason: 'missing' }
    const { numAffectedRows } = await sql`delete from reconciled_days where account_id = ${accountId} and day = ${day}`.execute(tx)
    if (Number(numAffectedRows ?? 0) === 0) return { ok: false, reason: 'open' }
    await audit(tx, actor, { action: 'reopened', subject: 'statement-account', id: accountId, after: { day, reason } })
    return { ok: true }
  })
}

const taka = (amount: number) => poishaToTaka(poisha(amount))
