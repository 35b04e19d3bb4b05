import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { closeSessions } from '#features/auth/sessions.server.ts'
import { endOrderAccess } from '#features/orders/order-access-token.server.ts'
import { addOptOut, deleteOptOut } from '#features/messaging/opt-outs.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'

export type StateChange = { ok: true } | { ok: false; reason: 'missing' | 'already' }

interface Locked {
  name: string
  phone: string
  email: string
  disabled_at: Date | null
  is_phone_verified: boolean
  owns_account: boolean
}

/**
 * Whether the customer `u` owns an account: has a password, a verified phone, store credit or a credit limit. The POS gives the last two to
 * the holder of the phone. A verification that a change of phone by the staff undid still counts, so that a second change needs the same
 * permission as the first. So does an account that was merged into the customer.
 */
export const OWNS_ACCOUNT = sql<boolean>`(u.password_hash is not null or u.phone_verified_at is not null or u.credit_limit_poisha > 0
  or store_credit_balance(u.id) > 0 or exists (
  select 1 from audit_log a where a.subject = 'customer' and a.subject_id = u.id::text
    and (a.before @> '{"phone_verified": true}' or a.before @> '{"other": {"owns_account": true}}')))`

/** Whether the user `u` is erased, by the form of the phone (`erasedPhone`). No phone of a person begins so. */
export const IS_ERASED = sql`u.phone like '00%'`

/** A customer who is not erased or merged into another, with the row locked; else null. */
export async function lockCustomer(tx: Db, id: number): Promise<Locked | null> {
  // The statement that waits for the lock does not see the audit entry of the merge or the change that had it.
  await sql`select 1 from users where id = ${id} for update`.execute(tx)
  const { rows } = await sql<Locked>`select u.name, u.phone, coalesce(u.email, '') as email, u.disabled_at,
      u.phone_verified_at is not null as is_phone_verified, ${OWNS_ACCOUNT} as owns_account
    from users u where u.id = ${id} and u.role = 'customer' and u.merged_into is null and not ${IS_ERASED}`.execute(tx)
  return rows[0] ?? null
}

/** Disables an account, and ends its sessions and what those browsers show of the orders. Guests may still order with its phone. */
export function disableCustomer(db: Db, actor: Actor, id: number, now: Date): Promise<StateChange> {
  return inTransaction(db, async (tx) => {
    await endOrderAccess(tx, id, null)
    const customer = await lockCustomer(tx, id)
    if (!customer) return { ok: false, reason: 'missing' }
    if (customer.disabled_at !== null) return { ok: false, reason: 'already' }
    await tx.updateTable('users').set({ disabled_at: now }).where('id', '=', id).execute()
    const devices = await closeSessions(tx, id)
    await audit(tx, actor, { action: 'disabled', subject: 'customer', id, after: { name: customer.name, signed_out: devices } })
    return { ok: true }
  })
}

/** Enables a disabled account. */
export function enableCustomer(db: Db, actor: Actor, id: number): Promise<StateChange> {
  return inTransaction(db, async (tx) => {
    const customer = await lockCustomer(tx, id)
    if (!customer) return { ok: false, reason: 'missing' }
    if (customer.disabled_at === null) return { ok: false, reason: 'already' }
    await tx.updateTable('users').set({ disabled_at: null }).where('id', '=', id).execute()
    await audit(tx, actor, { action: 'enabled', subject: 'customer', id, after: { name: customer.name } })
    return { ok: true }
  })
}

/** Ends all sessions of a customer, and what those browsers show of the orders. */
export function signCustomerOut(db: Db, actor: Actor, id: number): Promise<StateChange> {
  return inTransaction(db, async (tx) => {
    await endOrderAccess(tx, id, null)
    const customer = await lockCustomer(tx, id)
    if (!customer) return { ok: false, reason: 'missing' }
    const devices = await closeSessions(tx, id)
    if (devices === 0) return { ok: false, reason: 'already' }
    await audit(tx, actor, { action: 'signed-out', subject: 'customer', id, after: { name: customer.name, signed_out: devices } })
    return { ok: true }
  })
}

/** Records that a customer wants no campaigns, or takes it back. */
export function setCustomerOptOut(db: Db, actor: Actor, id: number, optedOut: boolean): Promise<StateChange> {
  return inTransaction(db, async (tx) => {
    const customer = await lockCustomer(tx, id)
    if (!customer) return { ok: false, reason: 'missing' }
    const hasChanged = optedOut ? await addOptOut(tx, customer.phone, 'staff') : await deleteOptOut(tx, customer.phone)
    if (!hasChanged) return { ok: false, reason: 'already' }
    await audit(tx, actor, {
      action: 'changed',
      subject: 'customer',
      id,
      before: { no_campaigns: !optedOut },
      after: { no_campaigns: optedOut },
    })
    return { ok: true }
  })
}

/** Adds a note of the staff to a customer; false when there is no such customer. */
export function addCustomerNote(db: Db, actor: Actor, id: number, note: string, now: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await lockCustomer(tx, id))) return false
    await tx.insertInto('customer_notes').values({ customer_id: id, note, by_id: actor.id, at: now }).execute()
    await audit(tx, actor, { action: 'noted', subject: 'customer', id, after: { note } })
    return true
  })
}
