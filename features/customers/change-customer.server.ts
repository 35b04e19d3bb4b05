import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import { closeSessions } from '#features/auth/sessions.server.ts'
import { endOrderAccess, lockOpenedOrders } from '#features/orders/order-access-token.server.ts'
import { orderSmsLang } from '#features/messaging/order-sms.server.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Translate, translate } from '#lib/i18n/translate.ts'
import { maskPhone } from '#lib/format/phone.ts'
import { lockCustomer } from './account-state.server.ts'
import { findPhoneHolder } from './create-customer.server.ts'
import type { CustomerDetails } from './admin-forms.ts'
import { erasedPhone } from './personal-data/erase-person.server.ts'

export type CustomerChange =
  | { ok: true }
  /** `stale`: the record has changed since the form opened. `managers`: the phone belongs to an account, so a manager must change it. */
  | { ok: false; reason: 'missing' | 'stale' | 'managers' }
  | { ok: false; reason: 'phone-used'; by: { id: number; name: string } }

export interface CustomerDeps {
  db: Db
  now: () => Date
  shopCache: { settings(): Promise<{ sms_english: boolean }> }
}

/**
 * Changes the name, phone and email of a customer. A new phone must be unused, must be verified again, and ends all sessions and open
 * codes, because customers sign in with it. The phone of an account needs a manager, and the old number gets an SMS. Orders keep the
 * details they were placed with. The phone of a customer that was merged into this one is exchanged for the old phone.
 */
export async function changeCustomer(deps: CustomerDeps, actor: StaffActor, id: number, form: CustomerDetails): Promise<CustomerChange> {
  try {
    const settings = await deps.shopCache.settings()
    return await inTransaction(deps.db, (tx) => change(tx, actor, id, form, { now: deps.now(), settings }))
  } catch (error) {
    if (constraintOf(error) !== 'users_phone_key') throw error
    const by = await findPhoneHolder(deps.db, form.phone)
    return by ? { ok: false, reason: 'phone-used', by } : { ok: false, reason: 'stale' }
  }
}

async function change(
  tx: Db,
  actor: StaffActor,
  id: number,
  { previous, ...form }: CustomerDetails,
  { now, settings }: { now: Date; settings: { sms_english: boolean } },
): Promise<CustomerChange> {
  if (form.phone !== previous.phone) await lockOpenedOrders(tx, sql`${id}`)
  const customer = await lockCustomer(tx, id)
  if (!customer) return { ok: false, reason: 'missing' }
  const before = { name: customer.name, phone: customer.phone, email: customer.email }
  const after = { name: form.name, phone: form.phone, email: form.email }
  if (before.name !== previous.name || before.phone !== previous.phone || before.email !== previous.email)
    return { ok: false, reason: 'stale' }
  const isNewPhone = before.phone !== after.phone
  if (isNewPhone && customer.owns_account && !actor.can('customers.accounts')) return { ok: false, reason: 'managers' }
  const updateUser = tx.updateTable('users').where('id', '=', id)
  if (before.name !== after.name) await updateUser.set({ name: after.name }).execute()
  if (before.email !== after.email) {
    const email = after.email === '' ? null : after.email
    await updateUser.set({ email, email_at: email === null ? null : now }).execute()
  }
  if (isNewPhone) await changePhone(tx, id, before.phone, after.phone)
  if (isNewPhone && customer.owns_account)
    await notifyOldNumber(tx, { customerId: id, phone: before.phone, event: 'phone-changed', settings }, (t) =>
      t('auth.sms-moved', { phone: maskPhone(after.phone) }),
    )
  const verification = isNewPhone ? { before: { phone_verified: customer.is_phone_verified }, after: { phone_verified: false } } : {}
  if (JSON.stringify(before) !== JSON.stringify(after))
    await audit(tx, actor, {
      action: 'changed',
      subject: 'customer',
      id,
      before: { ...before, ...verification.before },
      after: { ...after, ...verification.after },
    })
  return { ok: true }
}

async function changePhone(tx: Db, id: number, oldPhone: string, phone: string): Promise<void> {
  // First: afterwards the phone counts as unverified.
  await endOrderAccess(tx, id, null)
  // Phones are unique, so a merged customer has the phone of an erased one while the two are exchanged.
  const { rows } = await sql<{ id: number }>`update users set phone = ${erasedPhone(sql`id`)}
    where phone = ${phone} and merged_into = ${id} returning id`.execute(tx)
  await tx.updateTable('users').set({ phone, phone_verified_at: null }).where('id', '=', id).execute()
  if (rows[0]) await tx.updateTable('users').set({ phone: oldPhone }).where('id', '=', rows[0].id).execute()
  await closeSessions(tx, id)
  await tx.deleteFrom('challenges').where('user_id', '=', id).execute()
}

/** Sends an SMS to an account's old number about a change by the staff, in the language of the customer's last order. */
export async function notifyOldNumber(
  tx: Db,
  about: { customerId: number; phone: string; event: string; settings: { sms_english: boolean } },
  textOf: (t: Translate) => string,
): Promise<void> {
  const orders = tx.selectFrom('orders').select('lang').where('customer_id', '=', about.customerId)
  const last = await orders.orderBy('id', 'desc').limit(1).executeTakeFirst()
  const text = textOf(translate(orderSmsLang(last?.lang ?? 'bn', about.settings)))
  await queueSms(tx, { purpose: 'order', event: about.event, phone: about.phone, text })
}
