import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { lockAccount } from './accounts.server.ts'

/** `stale`: another person has renamed it since the page opened; `name` is the one they saved. */
export type AccountRenamed = { ok: true } | { ok: false; reason: 'missing' | 'name-used' } | { ok: false; reason: 'stale'; name: string }

/** Renames an account. Its statements, matches and reconciled days stay. */
export async function renameAccount(
  db: Db,
  actor: Actor,
  id: number,
  { name, previous }: { name: string; previous: string },
): Promise<AccountRenamed> {
  try {
    return await inTransaction(db, async (tx): Promise<AccountRenamed> => {
      const account = await lockAccount(tx, id)
      if (!account) return { ok: false, reason: 'missing' }
      if (account.name === name) return { ok: true }
      if (account.name !== previous) return { ok: false, reason: 'stale', name: account.name }
      await sql`update statement_accounts set name = ${name} where id = ${id}`.execute(tx)
      await audit(tx, actor, { action: 'changed', subject: 'statement-account', id, before: { name: account.name }, after: { name } })
      return { ok: true }
    })
  } catch (error) {
    if (constraintOf(error) === 'statement_accounts_name_key') return { ok: false, reason: 'name-used' }
    throw error
  }
}

/** `in-use`: the account has an upload or a reconciled day. */
export type AccountDeleted = { ok: true } | { ok: false; reason: 'missing' | 'in-use' }

/** Deletes an account that has no statements and no reconciled days: one that was added by mistake. */
export function deleteAccount(db: Db, actor: Actor, id: number): Promise<AccountDeleted> {
  return inTransaction(db, async (tx): Promise<AccountDeleted> => {
    const account = await lockAccount(tx, id)
    if (!account) return { ok: false, reason: 'missing' }
    const { name, method } = account
    const deleted = await sql`
      delete from statement_accounts a where id = ${id}
        and not exists (select 1 from statement_uploads where account_id = a.id)
        and not exists (select 1 from reconciled_days where account_id = a.id)`.execute(tx)
    if (!deleted.numAffectedRows) return { ok: false, reason: 'in-use' }
    await audit(tx, actor, { action: 'deleted', subject: 'statement-account', id, before: { name, method } })
    return { ok: true }
  })
}
