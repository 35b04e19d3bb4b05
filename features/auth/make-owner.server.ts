import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { closeSessions } from './sessions.server.ts'

/** Creates an owner, or gives the account with this phone that role: with a new password, all sessions ended, the account enabled. */
export async function makeOwner(
  db: Db,
  { phone, name, passwordHash, once, now }: { phone: string; name: string; passwordHash: string; once: boolean; now: Date },
): Promise<'new' | 'known'> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: number; is_new: boolean }>`
      insert into users (role, name, phone, password_hash, password_once, phone_verified_at)
      values ('owner', ${name}, ${phone}, ${passwordHash}, ${once}, ${now})
      on conflict (phone) do update set role = 'owner', name = excluded.name, password_hash = excluded.password_hash,
        password_once = excluded.password_once, phone_verified_at = excluded.phone_verified_at, disabled_at = null
      returning id, xmax = 0 as is_new`.execute(tx)
    const owner = rows[0]!
    // An owner who lost the authenticator can sign in again. Sessions of a former customer must not become an owner's.
    await tx.deleteFrom('recovery_codes').where('user_id', '=', owner.id).execute()
    await tx.deleteFrom('second_factors').where('user_id', '=', owner.id).execute()
    await closeSessions(tx, owner.id)
    return owner.is_new ? 'new' : 'known'
  })
}
