import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { endOrderAccess, lockOpenedOrders } from '#features/orders/order-access-token.server.ts'
import { randomCode } from '#lib/ids/ids.server.ts'
import { hashPassword } from '../passwords.server.ts'
import { isStaff, type StaffRole } from '../permissions.ts'
import { auditFactor, deleteSecondFactor } from '../second-factor.server.ts'
import { closeSessions, type Role } from '../sessions.server.ts'
import { deleteStaffCodes } from '../users.server.ts'
import type { NewStaff } from './forms.ts'

/** `stale`: another owner has changed the role since the list opened. */
export type StaffError = 'missing' | 'already' | 'last-owner' | 'self' | 'stale'
export type StaffChange = { ok: true } | { ok: false; reason: StaffError }

interface Locked {
  name: string
  role: Role
  disabled_at: Date | null
}

/** A member of staff, locked together with all owners, so that two concurrent changes cannot remove the last two owners. */
async function lockStaff(tx: Db, id: number): Promise<{ person: Locked; isLastOwner: boolean } | null> {
  await lockOpenedOrders(tx, sql`${id}`)
  const { rows } = await sql<Locked & { id: number }>`select id, name, role, disabled_at from users
    where id = ${id} or (role = 'owner' and disabled_at is null) order by id for update`.execute(tx)
  const person = rows.find((row) => row.id === id)
  if (!person || !isStaff(person.role)) return null
  const owners = rows.filter(({ role, disabled_at }) => role === 'owner' && disabled_at === null)
  return { person, isLastOwner: owners.length === 1 && owners[0]?.id === id }
}

/** Ends all sessions, and what those browsers show of the orders placed with the account. */
async function endSessions(tx: Db, id: number): Promise<void> {
  await endOrderAccess(tx, id, null)
  await closeSessions(tx, id)
}

/** A password that is valid for one sign-in. Only its hash is stored. */
async function passwordOnce(): Promise<{ password: string; hash: string }> {
  const password = (randomCode(16).match(/.{4}/g) ?? []).join('-')
  return { password, hash: await hashPassword(password) }
}

/** `owes`: a customer with an amount due on account or store credit. Staff have no account, so neither could be settled. */
export type AddedStaff = { ok: true; id: number; password: string } | { ok: false; reason: 'already' | 'closed' | 'owes' }

/**
 * Creates a member of staff with a one-time password, which leads only to the choice of an own one. A customer with that phone becomes
 * staff: all sessions end and the password is replaced. Staff, disabled accounts, and customers with an open account are rejected.
 */
export async function addStaff(db: Db, actor: Actor, { name, phone, role }: NewStaff, now: Date): Promise<AddedStaff> {
  const { password, hash } = await passwordOnce()
  return inTransaction(db, async (tx) => {
    await lockOpenedOrders(tx, sql`select id from users where phone = ${phone}`)
    // The statement that waits for the lock does not see the sale on account that had it.
    await sql`select 1 from users where phone = ${phone} for update`.execute(tx)
    const known = await sql<Locked & { id: number; owes: boolean }>`select id, name, role, disabled_at,
      account_balance(id) <> 0 or store_credit_balance(id) <> 0 as owes from users where phone = ${phone}`.execute(tx)
    const before = known.rows[0]
    if (before && isStaff(before.role)) return { ok: false, reason: 'already' }
    if (before?.disabled_at) return { ok: false, reason: 'closed' }
    if (before?.owes) return { ok: false, reason: 'owes' }
    const { rows } = await sql<{ id: number }>`
      insert into users (role, name, phone, password_hash, password_once, phone_verified_at)
      values (${role}, ${name}, ${phone}, ${hash}, true, ${now})
      on conflict (phone) do update set role = excluded.role, name = excluded.name, password_hash = excluded.password_hash,
        password_once = true, phone_verified_at = excluded.phone_verified_at where users.role = 'customer'
      returning id`.execute(tx)
    const id = rows[0]?.id
    // A concurrent request has added the same number.
    if (id === undefined) return { ok: false, reason: 'already' }
    await deleteSecondFactor(tx, id)
    await endSessions(tx, id)
    await audit(tx, actor, { action: 'created', subject: 'staff', id, after: { name, phone, role, was_customer: before !== undefined } })
    return { ok: true, id, password }
  })
}

/**
 * Changes the role of a member of staff, deletes PIN and approval code, and ends the sessions, so that no page of the old role stays open. The last
 * owner stays owner.
 */
export function changeRole(
  db: Db,
  actor: Actor,
  id: number,
  { role, previous }: { role: StaffRole; previous: StaffRole },
): Promise<StaffChange> {
  return inTransaction(db, async (tx) => {
    const locked = await lockStaff(tx, id)
    if (!locked) return { ok: false, reason: 'missing' }
    if (locked.person.role === role) return { ok: false, reason: 'already' }
    if (locked.person.role !== previous) return { ok: false, reason: 'stale' }
    if (locked.isLastOwner) return { ok: false, reason: 'last-owner' }
    await tx.updateTable('users').set({ role }).where('id', '=', id).execute()
    await deleteStaffCodes(tx, id)
    await endSessions(tx, id)
    await audit(tx, actor, { action: 'changed', subject: 'staff', id, before: { role: locked.person.role }, after: { role } })
    return { ok: true }
  })
}

/** Disables an account and ends its sessions. A user cannot disable the own account, nor the last owner's. */
export function disableStaff(db: Db, actor: Actor, id: number, now: Date): Promise<StaffChange> {
  return inTransaction(db, async (tx) => {
    const locked = await lockStaff(tx, id)
    if (!locked) return { ok: false, reason: 'missing' }
    if (locked.person.disabled_at !== null) return { ok: false, reason: 'already' }
    if (locked.isLastOwner) return { ok: false, reason: 'last-owner' }
    if (id === actor.id) return { ok: false, reason: 'self' }
    await tx.updateTable('users').set({ disabled_at: now }).where('id', '=', id).execute()
    await endSessions(tx, id)
    await audit(tx, actor, { action: 'disabled', subject: 'staff', id, after: { name: locked.person.name } })
    return { ok: true }
  })
}

/** Enables a disabled account. */
export function enableStaff(db: Db, actor: Actor, id: number): Promise<StaffChange> {
  return inTransaction(db, async (tx) => {
    const locked = await lockStaff(tx, id)
    if (!locked) return { ok: false, reason: 'missing' }
    if (locked.person.disabled_at === null) return { ok: false, reason: 'already' }
    await tx.updateTable('users').set({ disabled_at: null }).where('id', '=', id).execute()
    await audit(tx, actor, { action: 'enabled', subject: 'staff', id, after: { name: locked.person.name } })
    return { ok: true }
  })
}

/** Deletes the second factor of a member of staff who has lost it, and ends the sessions. The own one ends only by a code of it. */
export function resetFactor(db: Db, actor: Actor, id: number): Promise<StaffChange> {
  return inTransaction(db, async (tx) => {
    if (!(await lockStaff(tx, id))) return { ok: false, reason: 'missing' }
    if (id === actor.id) return { ok: false, reason: 'self' }
    if (!(await deleteSecondFactor(tx, id))) return { ok: false, reason: 'already' }
    await endSessions(tx, id)
    await auditFactor(tx, actor, id, false)
    return { ok: true }
  })
}

/** Replaces the password of a member of staff by a one-time password, deletes PIN and approval code, and ends the sessions. */
export async function renewPassword(
  db: Db,
  actor: Actor,
  id: number,
): Promise<{ ok: true; password: string } | { ok: false; reason: StaffError }> {
  const { password, hash } = await passwordOnce()
  return inTransaction(db, async (tx) => {
    if (!(await lockStaff(tx, id))) return { ok: false, reason: 'missing' }
    if (id === actor.id) return { ok: false, reason: 'self' }
    await tx.updateTable('users').set({ password_hash: hash, password_once: true }).where('id', '=', id).execute()
    await deleteStaffCodes(tx, id)
    await endSessions(tx, id)
    await audit(tx, actor, { action: 'changed', subject: 'staff', id, before: { password: 'own' }, after: { password: 'once' } })
    return { ok: true, password }
  })
}
