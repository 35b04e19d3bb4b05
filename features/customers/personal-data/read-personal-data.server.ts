import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

export interface Person {
  /** The user, and those merged into it. */
  ids: number[]
  phones: string[]
}

/** The customer with a phone, with all merged customers; null when there is none, and for staff. */
export async function findPerson(db: Db, phone: string): Promise<Person | null> {
  const { rows } = await sql<{ id: number; phone: string; role: string }>`
    select id, phone, role from users where coalesce(merged_into, id) = (select coalesce(merged_into, id) from users where phone = ${phone})
    order by merged_into nulls first, id`.execute(db)
  if (rows.length === 0 || rows.some(({ role }) => role !== 'customer')) return null
  return { ids: rows.map(({ id }) => id), phones: rows.map(({ phone }) => phone) }
}

/** Everything that the shop stores about a person, by kind. Passwords, codes and keys are left out. */
export async function readPersonalData(db: Db, { ids, phones }: Person): Promise<Record<string, object[]>> {
  const orders = sql`(select id from orders where customer_id = any(${ids}))`
  const queries: Record<string, RawBuilder<object>> = {
    accounts: sql`select id, name, phone, email, phone_verified_at, disabled_at, created_at, merged_into, credit_limit_poisha
      from users where id = any(${ids}) order by id`,
    addresses: sql`select name, phone, alternate_phone, address, landmark, note, area_id, is_default, created_at, updated_at
      from addresses where customer_id = any(${ids}) order by id`,
    notes: sql`select note, at from customer_notes where customer_id = any(${ids}) order by at`,
    sessions: sql`select created_at, last_seen_at, expires_at, ip, user_agent from sessions where user_id = any(${ids}) order by created_at`,
    orders: sql`select id, source, status, reason, name, phone, email, alternate_phone, address, landmark, note, lang, subtotal_poisha, shipping_poisha,
      discount_poisha, total_poisha, payment_type, placed_at, deliver_on, remarks from orders where id in ${orders} order by id`,
    orderLines: sql`select order_id, product_id, name_en, name_bn, quantity_milli, line_total_poisha from order_lines where order_id in ${orders}
      order by order_id, product_id`,
    orderEvents: sql`select order_id, at, kind, from_status, to_status, detail from order_events where order_id in ${orders} order by id`,
    payments: sql`select order_id, kind, method, reference, amount_poisha, at from ledger_entries where order_id in ${orders} order by id`,
    reportedAdvances: sql`select order_id, method, transaction_id, sender, amount_poisha, state, created_at from advance_reports
      where order_id in ${orders} order by id`,
    accountPayments: sql`select method, reference, amount_poisha, at from account_payments where customer_id = any(${ids}) order by id`,
    storeCredit: sql`select order_id, return_id, amount_poisha, at, balance_poisha from store_credit_entries where customer_id = any(${ids}) order by id`,
    returnsWithoutReceipt: sql`select id, at, reason, worth_poisha, refund_poisha, phone from pos_returns where phone = any(${phones}) order by id`,
    couponUses: sql`select order_id, coupon_id, discount_poisha from coupon_uses where customer_id = any(${ids}) order by order_id`,
    bookings: sql`select name, email, phone, district, thana, price_range, weight, state, note, created_at from kurbani_bookings
      where phone = any(${phones}) order by id`,
    messages: sql`select purpose, template, phone, case when purpose = 'code' then null else body end as body, state, created_at from sms_outbox
      where phone = any(${phones}) or order_id in ${orders} order by id`,
    auditLog: sql`select at, action, subject, subject_id, before, after from audit_log
      where (subject = 'customer' and subject_id = any(${ids.map(String)})) or (subject = 'order' and subject_id in (select id::text from orders o
        where o.customer_id = any(${ids}))) order by id`,
  }
  const data: Record<string, object[]> = {}
  for (const [kind, query] of Object.entries(queries)) data[kind] = (await query.execute(db)).rows
  return data
}
