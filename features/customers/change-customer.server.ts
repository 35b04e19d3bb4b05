import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Permission } from '#features/auth/permissions.ts'
import { closeSessions } from '#features/auth/sessions.server.ts'
import { orderSmsLang } from '#features/messaging/order-sms.server.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Translate, translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { maskPhone } from '#lib/format/phone.ts'
import { lockCustomer } from './account-state.server.ts'
import type { CustomerDetails } from './admin-forms.ts'

export type CustomerChange =
  | { ok: true }
  /** `stale`: the customer, or another clerk, has changed it since the form opened. `managers`: the phone is that of an account. */
  | { ok: false; reason: 'missing' | 'stale' | 'managers' }
  | { ok: false; reason: 'phone-used'; by: { id: number; name: string } }

/** A clerk who changes a customer. */
export interface CustomerClerk extends Actor {
  can(right: Permission): boolean
}

export interface CustomerDeps {
  db: Db
  now: () => Date
  facts: { settings(): Promise<{ sms_english: boolean }> }
}

/**
 * Corrects the name, phone and email of a customer. The phone is what one signs in with: a new one must be proven again, ends every session and
 * every code that is under way, and may be nobody else's. That of an account takes a manager, and the old number is told. Orders keep what they
 * were placed with.
 */
export async function changeCustomer(deps: CustomerDeps, who: CustomerClerk, id: number, form: CustomerDetails): Promise<CustomerChange> {
  try {
    const settings = await deps.facts.settings()
    return await inTransaction(deps.db, (tx) => change(tx, who, id, form, { now: deps.now(), settings }))
  } catch (error) {
    if (constraintOf(error) !== 'users_phone_key') throw error
    const { rows } = await sql<{ id: number; name: string }>`select id, name from users where phone = ${form.phone}`.execute(deps.db)
    return rows[0] ? { ok: false, reason: 'phone-used', by: rows[0] } : { ok: false, reason: 'stale' }
  }
}

async function change(
  tx: Db,
  who: CustomerClerk,
  id: number,
  { seen, ...form }: CustomerDetails,
  { now, settings }: { now: Date; settings: { sms_english: boolean } },
): Promise<CustomerChange> {
  const customer = await lockCustomer(tx, id)
  if (!customer) return { ok: false, reason: 'missing' }
  const before = { name: customer.name, phone: customer.phone, email: customer.email }
  const after = { name: form.name, phone: form.phone, email: form.email }
  if (before.name !== seen.name || before.phone !== seen.phone || before.email !== seen.email) return { ok: false, reason: 'stale' }
  const isMoved = before.phone !== after.phone
  if (isMoved && customer.owns_account && !who.can('customers.accounts')) return { ok: false, reason: 'managers' }
  await sql`update users set name = ${after.name} where id = ${id} and name <> ${after.name}`.execute(tx)
  if (before.email !== after.email) {
    const email = after.email === '' ? null : after.email
    await sql`update users set email = ${email}, email_at = ${email && now} where id = ${id}`.execute(tx)
  }
  if (isMoved) await changePhone(tx, id, after.phone)
  if (isMoved && customer.owns_account)
    await notifyOldNumber(tx, { customerId: id, phone: before.phone, event: 'phone-changed', settings }, (t) =>
      t('auth.sms-moved', { phone: maskPhone(after.phone) }),
    )
  const proven = isMoved ? { before: { phone_verified: customer.is_proven }, after: { phone_verified: false } } : {}
  if (JSON.stringify(before) !== JSON.stringify(after))
    await audit(tx, who, {
      action: 'changed',
      subject: 'customer',
      id,
      before: { ...before, ...proven.before },
      after: { ...after, ...proven.after },
    })
  return { ok: true }
}

async function changePhone(tx: Db, id: number, phone: string): Promise<void> {
  await sql`update users set phone = ${phone}, phone_verified_at = null where id = ${id}`.execute(tx)
  await closeSessions(tx, id)
  await sql`delete from challenges where user_id = ${id}`.execute(tx)
}

/** Tells the holder of an account's old number what the staff made of it, in the language that the customer's texts are in. */
export async function notifyOldNumber(
  tx: Db,
  about: { customerId: number; phone: string; event: string; settings: { sms_english: boolean } },
  say: (t: Translate) => string,
): Promise<void> {
  const { rows } = await sql<{
    lang: Lang
  }>`select lang from orders where customer_id = ${about.customerId} order by id desc limit 1`.execute(tx)
  const text = say(translate(orderSmsLang(rows[0]?.lang ?? 'bn', about.settings)))
  await queueSms(tx, { purpose: 'order', event: about.event, phone: about.phone, text })
}
