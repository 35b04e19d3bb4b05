import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { randomCode } from '#lib/ids/ids.server.ts'
import { hashPassword } from '../passwords.server.ts'
import { isStaff, type StaffRole } from '../permissions.ts'
import { closeSessions, type Role } from '../sessions.server.ts'
import type { NewStaff } from './forms.ts'

export type StaffRefusal = 'missing' | 'already' | 'last-owner' | 'self'
export type StaffChange = { ok: true } | { ok: false; reason: StaffRefusal }

interface Locked {
  name: string
  role: Role
  disabled_at: Date | null
}

/** Somebody of the staff, locked together with all owners, so that two who leave at once cannot both be the last but one. */
async function lockStaff(tx: Db, id: number): Promise<{ person: Locked; isLastOwner: boolean } | null> {
  const { rows } = await sql<Locked & { id: number }>`select id, name, role, disabled_at from users
    where id = ${id} or (role = 'owner' and disabled_at is null) order by id for update`.execute(tx)
  const person = rows.find((row) => row.id === id)
  if (!person || !isStaff(person.role)) return null
  const owners = rows.filter(({ role, disabled_at }) => role === 'owner' && disabled_at === null)
  return { person, isLastOwner: owners.length === 1 && owners[0]?.id === id }
}

/** A password that is good for one sign-in: nobody keeps it, so nobody can be asked for it. */
async function passwordOnce(): Promise<{ password: string; hash: string }> {
  const password = (randomCode(16).match(/.{4}/g) ?? []).join('-')
  return { password, hash: await hashPassword(password) }
}

export type AddedStaff = { ok: true; id: number; password: string } | { ok: false; reason: 'already' | 'closed' }

/**
 * Takes somebody into the staff, with a password that opens only the choice of an own one. A customer of that phone becomes staff: signed out
 * everywhere, and the password is another. Whoever is staff already, or was closed, is not taken in again this way.
 */
export async function addStaff(db: Db, who: Actor, { name, phone, role }: NewStaff, now: Date): Promise<AddedStaff> {
  const { password, hash } = await passwordOnce()
  return inTransaction(db, async (tx) => {
    const known = await sql<
      Locked & { id: number }
    >`select id, name, role, disabled_at from users where phone = ${phone} for update`.execute(tx)
    const before = known.rows[0]
    if (before && isStaff(before.role)) return { ok: false, reason: 'already' }
    if (before?.disabled_at) return { ok: false, reason: 'closed' }
    const { rows } = await sql<{ id: number }>`
      insert into users (role, name, phone, password_hash, password_once, phone_verified_at)
      values (${role}, ${name}, ${phone}, ${hash}, true, ${now})
      on conflict (phone) do update set role = excluded.role, name = excluded.name, password_hash = excluded.password_hash,
        password_once = true, phone_verified_at = excluded.phone_verified_at where users.role = 'customer'
      returning id`.execute(tx)
    const id = rows[0]?.id
    // Somebody else has just taken the same number in.
    if (id === undefined) return { ok: false, reason: 'already' }
    await forgetFactor(tx, id)
    await closeSessions(tx, id)
    await audit(tx, who, { action: 'created', subject: 'staff', id, after: { name, phone, role, was_customer: before !== undefined } })
    return { ok: true, id, password }
  })
}

/** Gives somebody another role and ends their sessions: what was open with the old one is not with the new. The shop keeps an owner. */
export function changeRole(db: Db, who: Actor, id: number, role: StaffRole): Promise<StaffChange> {
  return inTransaction(db, async (tx) => {
    const locked = await lockStaff(tx, id)
    if (!locked) return { ok: false, reason: 'missing' }
    if (locked.person.role === role) return { ok: false, reason: 'already' }
    if (locked.isLastOwner) return { ok: false, reason: 'last-owner' }
    await sql`update users set role = ${role} where id = ${id}`.execute(tx)
    await closeSessions(tx, id)
    await audit(tx, who, { action: 'changed', subject: 'staff', id, before: { role: locked.person.role }, after: { role } })
    return { ok: true }
  })
}

/** Nobody signs in with this account any more, and whoever is signed in is so no longer. Nobody closes their own, nor the last owner's. */
export function disableStaff(db: Db, who: Actor, id: number, now: Date): Promise<StaffChange> {
  return inTransaction(db, async (tx) => {
    const locked = await lockStaff(tx, id)
    if (!locked) return { ok: false, reason: 'missing' }
    if (locked.person.disabled_at !== null) return { ok: false, reason: 'already' }
    if (locked.isLastOwner) return { ok: false, reason: 'last-owner' }
    if (id === who.id) return { ok: false, reason: 'self' }
    await sql`update users set disabled_at = ${now} where id = ${id}`.execute(tx)
    await closeSessions(tx, id)
    await audit(tx, who, { action: 'disabled', subject: 'staff', id, after: { name: locked.person.name } })
    return { ok: true }
  })
}

export function enableStaff(db: Db, who: Actor, id: number): Promise<StaffChange> {
  return inTransaction(db, async (tx) => {
    const locked = await lockStaff(tx, id)
    if (!locked) return { ok: false, reason: 'missing' }
    if (locked.person.disabled_at === null) return { ok: false, reason: 'already' }
    await sql`update users set disabled_at = null where id = ${id}`.execute(tx)
    await audit(tx, who, { action: 'enabled', subject: 'staff', id, after: { name: locked.person.name } })
    return { ok: true }
  })
}

/** Takes the second factor of somebody who has lost it away, and ends their sessions. */
export function resetFactor(db: Db, who: Actor, id: number): Promise<StaffChange> {
  return inTransaction(db, async (tx) => {
    if (!(await lockStaff(tx, id))) return { ok: false, reason: 'missing' }
    if (!(await forgetFactor(tx, id))) return { ok: false, reason: 'already' }
    await closeSessions(tx, id)
    await audit(tx, who, { action: 'changed', subject: 'staff', id, before: { second_factor: true }, after: { second_factor: false } })
    return { ok: true }
  })
}

async function forgetFactor(tx: Db, id: number): Promise<boolean> {
  await sql`delete from recovery_codes where user_id = ${id}`.execute(tx)
  const { numAffectedRows } = await sql`delete from second_factors where user_id = ${id}`.execute(tx)
  return Number(numAffectedRows ?? 0) > 0
}

/** A new password for somebody who has lost theirs: good once, told once; their sessions end. */
export async function renewPassword(
  db: Db,
  who: Actor,
  id: number,
): Promise<{ ok: true; password: string } | { ok: false; reason: StaffRefusal }> {
  const { password, hash } = await passwordOnce()
  return inTransaction(db, async (tx) => {
    if (!(await lockStaff(tx, id))) return { ok: false, reason: 'missing' }
    if (id === who.id) return { ok: false, reason: 'self' }
    await sql`update users set password_hash = ${hash}, password_once = true where id = ${id}`.execute(tx)
    await closeSessions(tx, id)
    await audit(tx, who, { action: 'changed', subject: 'staff', id, before: { password: 'own' }, after: { password: 'once' } })
    return { ok: true, password }
  })
}
