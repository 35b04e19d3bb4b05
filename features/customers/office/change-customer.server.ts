import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { closeSessions } from '#features/auth/sessions.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db.server.ts'
import { lockCustomer } from './account-state.server.ts'
import type { CustomerDetails } from './forms.ts'

export type CustomerChange =
  | { ok: true }
  /** `stale`: the customer, or another clerk, has changed it since the form opened. */
  | { ok: false; reason: 'missing' | 'stale' }
  | { ok: false; reason: 'phone-used'; by: { id: number; name: string } }

/**
 * Corrects who a customer is. The phone is what one signs in with: a new one must be proven again, ends every session and every code that
 * is under way, and may be nobody else's. Orders keep what they were placed with.
 */
export async function changeCustomer(db: Db, who: Actor, id: number, form: CustomerDetails, now: Date): Promise<CustomerChange> {
  try {
    return await inTransaction(db, (tx) => change(tx, who, id, form, now))
  } catch (error) {
    if (constraintOf(error) !== 'users_phone_key') throw error
    const { rows } = await sql<{ id: number; name: string }>`select id, name from users where phone = ${form.phone}`.execute(db)
    return rows[0] ? { ok: false, reason: 'phone-used', by: rows[0] } : { ok: false, reason: 'stale' }
  }
}

async function change(tx: Db, who: Actor, id: number, { seen, ...form }: CustomerDetails, now: Date): Promise<CustomerChange> {
  const customer = await lockCustomer(tx, id)
  if (!customer) return { ok: false, reason: 'missing' }
  const before = { name: customer.name, phone: customer.phone, email: customer.email }
  const after = { name: form.name, phone: form.phone, email: form.email }
  if (before.name !== seen.name || before.phone !== seen.phone || before.email !== seen.email) return { ok: false, reason: 'stale' }
  await sql`update users set name = ${after.name} where id = ${id} and name <> ${after.name}`.execute(tx)
  if (before.email !== after.email) {
    const email = after.email === '' ? null : after.email
    await sql`update users set email = ${email}, email_at = ${email && now} where id = ${id}`.execute(tx)
  }
  if (before.phone !== after.phone) await changePhone(tx, id, after.phone)
  if (JSON.stringify(before) !== JSON.stringify(after)) await audit(tx, who, { action: 'changed', subject: 'customer', id, before, after })
  return { ok: true }
}

async function changePhone(tx: Db, id: number, phone: string): Promise<void> {
  await sql`update users set phone = ${phone}, phone_proven_at = null where id = ${id}`.execute(tx)
  await closeSessions(tx, id)
  await sql`delete from challenges where user_id = ${id}`.execute(tx)
}
