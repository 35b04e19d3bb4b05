import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { closeSessions } from '#features/auth/sessions.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'

export type StateChange = { ok: true } | { ok: false; reason: 'missing' | 'already' }

interface Locked {
  name: string
  phone: string
  email: string
  disabled_at: Date | null
  is_proven: boolean
  owns_account: boolean
}

/**
 * Whether somebody signs in as the customer `u`: by a password or a proven phone. A proof that the staff undid with another phone still counts,
 * so that a second change is no way around the first one's permission.
 */
export const OWNS_ACCOUNT = sql<boolean>`(u.password_hash is not null or u.phone_verified_at is not null or exists (
  select 1 from audit_log a where a.subject = 'customer' and a.subject_id = u.id::text and a.before @> '{"phone_verified": true}'))`

/** A customer that still stands for itself, locked. */
export async function lockCustomer(tx: Db, id: number): Promise<Locked | null> {
  const { rows } = await sql<Locked>`select u.name, u.phone, coalesce(u.email, '') as email, u.disabled_at,
      u.phone_verified_at is not null as is_proven, ${OWNS_ACCOUNT} as owns_account
    from users u where u.id = ${id} and u.role = 'customer' and u.merged_into is null for update of u`.execute(tx)
  return rows[0] ?? null
}

/** Closes an account: nobody signs in with it, and whoever is signed in is so no longer. Orders stay, and may still be placed as a guest. */
export function disableCustomer(db: Db, who: Actor, id: number, now: Date): Promise<StateChange> {
  return inTransaction(db, async (tx) => {
    const customer = await lockCustomer(tx, id)
    if (!customer) return { ok: false, reason: 'missing' }
    if (customer.disabled_at !== null) return { ok: false, reason: 'already' }
    await sql`update users set disabled_at = ${now} where id = ${id}`.execute(tx)
    const devices = await closeSessions(tx, id)
    await audit(tx, who, { action: 'disabled', subject: 'customer', id, after: { name: customer.name, signed_out: devices } })
    return { ok: true }
  })
}

/** Opens a closed account again. */
export function enableCustomer(db: Db, who: Actor, id: number): Promise<StateChange> {
  return inTransaction(db, async (tx) => {
    const customer = await lockCustomer(tx, id)
    if (!customer) return { ok: false, reason: 'missing' }
    if (customer.disabled_at === null) return { ok: false, reason: 'already' }
    await sql`update users set disabled_at = null where id = ${id}`.execute(tx)
    await audit(tx, who, { action: 'enabled', subject: 'customer', id, after: { name: customer.name } })
    return { ok: true }
  })
}

/** Signs a customer out everywhere. */
export function signCustomerOut(db: Db, who: Actor, id: number): Promise<StateChange> {
  return inTransaction(db, async (tx) => {
    const customer = await lockCustomer(tx, id)
    if (!customer) return { ok: false, reason: 'missing' }
    const devices = await closeSessions(tx, id)
    if (devices === 0) return { ok: false, reason: 'already' }
    await audit(tx, who, { action: 'signed-out', subject: 'customer', id, after: { name: customer.name, signed_out: devices } })
    return { ok: true }
  })
}

/** Writes a note of the staff to a customer; false when there is no such one. */
export function addCustomerNote(db: Db, who: Actor, id: number, note: string, now: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await lockCustomer(tx, id))) return false
    await sql`insert into customer_notes (customer_id, note, by_id, at) values (${id}, ${note}, ${who.id}, ${now})`.execute(tx)
    await audit(tx, who, { action: 'noted', subject: 'customer', id, after: { note } })
    return true
  })
}
