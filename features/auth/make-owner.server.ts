import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import { endOrderAccess, lockOpenedOrders } from '#features/orders/order-access-token.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { deleteSecondFactor } from './second-factor.server.ts'
import { closeSessions, type Role } from './sessions.server.ts'
import { deleteStaffCodes } from './users.server.ts'

/**
 * Creates an owner, or gives the account with this phone that role: with a new password, without PIN, approval code and second factor, all sessions ended, the
 * account enabled. The audit log names the system: the command line knows no user.
 */
export async function makeOwner(
  db: Db,
  { phone, name, passwordHash, once, now }: { phone: string; name: string; passwordHash: string; once: boolean; now: Date },
): Promise<'new' | 'known'> {
  return inTransaction(db, async (tx) => {
    await lockOpenedOrders(tx, sql`select id from users where phone = ${phone}`)
    const known = await sql<{ role: Role; name: string }>`select role, name from users where phone = ${phone} for update`.execute(tx)
    const before = known.rows[0] ?? null
    const { rows } = await sql<{ id: number }>`
      insert into users (role, name, phone, password_hash, password_once, phone_verified_at)
      values ('owner', ${name}, ${phone}, ${passwordHash}, ${once}, ${now})
      on conflict (phone) do update set role = 'owner', name = excluded.name, password_hash = excluded.password_hash,
        password_once = excluded.password_once, phone_verified_at = excluded.phone_verified_at, disabled_at = null, merged_into = null
      returning id`.execute(tx)
    const { id } = rows[0]!
    // An owner who lost the authenticator can sign in again. Sessions of a former customer must not become an owner's.
    await deleteSecondFactor(tx, id)
    await deleteStaffCodes(tx, id)
    await endOrderAccess(tx, id, null)
    await closeSessions(tx, id)
    const password = once ? 'once' : 'own'
    await audit(tx, null, {
      action: before ? 'changed' : 'created',
      subject: 'staff',
      id,
      before,
      after: { role: 'owner', name, password, ...(before ? {} : { phone }) },
    })
    return before ? 'known' : 'new'
  })
}
