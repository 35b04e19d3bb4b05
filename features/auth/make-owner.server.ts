import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { closeSessions } from './sessions.server.ts'

/** Makes an owner, or makes the person who has this phone one: with a new password, signed out everywhere, the account open. */
export async function makeOwner(
  db: Db,
  { phone, name, passwordHash, once, now }: { phone: string; name: string; passwordHash: string; once: boolean; now: Date },
): Promise<'new' | 'known'> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: number; isNew: boolean }>`
      insert into users (role, name, phone, password_hash, password_once, phone_verified_at)
      values ('owner', ${name}, ${phone}, ${passwordHash}, ${once}, ${now})
      on conflict (phone) do update set role = 'owner', name = excluded.name, password_hash = excluded.password_hash,
        password_once = excluded.password_once, phone_verified_at = excluded.phone_verified_at, disabled_at = null
      returning id, xmax = 0 as "isNew"`.execute(tx)
    const owner = rows[0]!
    // Somebody who was locked out by a lost phone gets in again; a customer's sessions are not an owner's.
    await sql`delete from recovery_codes where user_id = ${owner.id}`.execute(tx)
    await sql`delete from second_factors where user_id = ${owner.id}`.execute(tx)
    await closeSessions(tx, owner.id)
    return owner.isNew ? 'new' : 'known'
  })
}
