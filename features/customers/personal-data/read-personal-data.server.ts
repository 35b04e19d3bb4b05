import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { latinDigits } from '#lib/format/numbers.ts'

export interface Person {
  /** The user, and those merged into it; none of a person who only left a phone, as with a pre-booking. */
  ids: number[]
  phones: string[]
}

/** The customer with a phone, with all merged customers, or the phone alone when no user has it; null for staff. */
export async function findPerson(db: Db, phone: string): Promise<Person | null> {
  const { rows } = await sql<{ id: number; phone: string; role: string }>`
    select id, phone, role from users where coalesce(merged_into, id) = (select coalesce(merged_into, id) from users where phone = ${phone})
    order by merged_into nulls first, id`.execute(db)
  if (rows.length === 0) return { ids: [], phones: [phone] }
  if (rows.some(({ role }) => role !== 'customer')) return null
  return { ids: rows.map(({ id }) => id), phones: rows.map(({ phone }) => phone) }
}

/** The digits that a phone has in every writing: 01853127062, 8801853127062, +880 1853127062. */
export const withoutPrefix = (phone: string): string => phone.slice(1)

/** Whether a text is one of these phones in any writing. */
export const isPhoneOf = (typed: RawBuilder<unknown>, phones: string[]) =>
  sql`right(regexp_replace(translate(${typed}, '০১২৩৪৫৬৭৮৯', '0123456789'), '[^0-9]', '', 'g'), 10) = any(${phones.map(withoutPrefix)})`

/** Whether a text contains one of these phones, in digits of either script, also with spaces or hyphens. */
export const containsPhone = (text: RawBuilder<unknown>, phones: string[]) =>
  sql`translate(${text}, '০১২৩৪৫৬৭৮৯ -', '0123456789') like any(${phones.map((phone) => `%${withoutPrefix(phone)}%`)})`

/** Audit entries that name a phone: of sent SMS, returns without a receipt, discarded sales, and orders that were given the phone or lost it. */
export const namesPhone = (phones: string[]) => sql`((subject in ('sms', 'shift', 'unsent-sale')
    or (subject = 'order' and before ->> 'phone' is distinct from after ->> 'phone'))
  and (${isPhoneOf(sql`before ->> 'phone'`, phones)} or ${isPhoneOf(sql`after ->> 'phone'`, phones)}))`

/** The filters that staff saved with a search for one of these phones. */
export async function findSavedFilters(db: Db, phones: string[]): Promise<{ id: number; screen: string; query: string }[]> {
  const filters = await db.selectFrom('saved_filters').select(['id', 'screen', 'query']).orderBy('id').execute()
  const digitsOf = (query: string) => [...new URLSearchParams(query).values()].map((value) => latinDigits(value).replace(/\D/g, ''))
  return filters.filter(({ query }) => digitsOf(query).some((digits) => phones.some((phone) => digits.includes(withoutPrefix(phone)))))
}

/** Audit entries about the bookings and requests of phones. Their notes are about the person. */
export const isAboutRequests = (phones: string[]) => sql`(
  (subject = 'booking' and subject_id in (select id::text from kurbani_bookings where phone = any(${phones})))
  or (subject = 'area-request' and subject_id in (select id::text from area_requests where phone = any(${phones}))))`

/** Audit entries about statement rows that name a phone, or were matched with payments of the person. */
export const isAboutPayments = ({ ids, phones }: Person) => sql`(subject = 'statement-row'
  and (${containsPhone(sql`concat(before, after)`, phones)} or exists (select 1
    from ledger_entries e join orders o on o.id = e.order_id where o.customer_id = any(${ids})
      and (before -> 'entries' @> to_jsonb(e.id) or after -> 'entries' @> to_jsonb(e.id)))))`

/** Everything that the shop stores about a person, by kind. Passwords, codes and keys are left out. */
export async function readPersonalData(db: Db, person: Person): Promise<Record<string, unknown[]>> {
  const found = { ...(await readAccount(db, person)), ...(await readOrders(db, person)), ...(await readContacts(db, person)) }
  return Object.fromEntries(Object.entries(found).map(([kind, { rows }]) => [kind, rows]))
}

async function readAccount(db: Db, { ids }: Person) {
  return {
    accounts: await sql`select id, name, phone, email, phone_verified_at, disabled_at, created_at, merged_into, credit_limit_poisha
      from users where id = any(${ids}) order by id`.execute(db),
    addresses: await sql`select name, phone, alternate_phone, address, landmark, note, area_id, is_default, created_at, updated_at
      from addresses where customer_id = any(${ids}) order by id`.execute(db),
    notes: await sql`select note, at
      from customer_notes where customer_id = any(${ids}) order by at`.execute(db),
    sessions: await sql`select created_at, last_seen_at, expires_at, ip, user_agent
      from sessions where user_id = any(${ids}) order by created_at`.execute(db),
    accountPayments: await sql`select method, reference, amount_poisha, at
      from account_payments where customer_id = any(${ids}) order by id`.execute(db),
    storeCredit: await sql`select order_id, return_id, amount_poisha, at, balance_poisha
      from store_credit_entries where customer_id = any(${ids}) order by id`.execute(db),
    couponUses: await sql`select order_id, coupon_id, discount_poisha
      from coupon_uses where customer_id = any(${ids}) order by order_id`.execute(db),
  }
}

async function readOrders(db: Db, { ids }: Person) {
  const orders = sql`(select id from orders where customer_id = any(${ids}))`
  return {
    orders: await sql`select id, source, status, reason, name, phone, email, alternate_phone, address, landmark,
      note, lang, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, placed_at, deliver_on, is_collection, remarks
      from orders where id in ${orders} order by id`.execute(db),
    orderLines: await sql`select order_id, product_id, name_en, name_bn, quantity_milli, line_total_poisha, note
      from order_lines where order_id in ${orders} order by order_id, product_id`.execute(db),
    orderTags: await sql`select order_id, tag
      from order_tags where order_id in ${orders} order by order_id, tag`.execute(db),
    orderEvents: await sql`select order_id, at, kind, from_status, to_status, detail
      from order_events where order_id in ${orders} order by id`.execute(db),
    payments: await sql`select order_id, kind, method, reference, amount_poisha, at
      from ledger_entries where order_id in ${orders} order by id`.execute(db),
    reportedAdvances: await sql`select order_id, method, transaction_id, sender, amount_poisha, state, created_at
      from advance_reports where order_id in ${orders} order by id`.execute(db),
    emails: await sql`select order_id, kind, recipient, state, created_at
      from email_outbox where order_id in ${orders} order by id`.execute(db),
    purchaseReports: await sql`select order_id, browser_id, click_id, ip, user_agent, state, created_at
      from conversion_events where order_id in ${orders} order by order_id`.execute(db),
    reviews: await sql`select order_id, product_id, rating, body, shown_name, state, refusal, answer, created_at,
      (select json_agg(i.token order by f.position) from review_pictures f join images i on i.id = f.image_id where f.review_id = r.id) as pictures
      from reviews r where order_id in ${orders} order by id`.execute(db),
  }
}

async function readContacts(db: Db, { ids, phones }: Person) {
  const orders = sql`(select id from orders where customer_id = any(${ids}))`
  return {
    returnsWithoutReceipt: await sql`select id, at, reason, worth_poisha, refund_poisha, phone
      from pos_returns where phone = any(${phones}) order by id`.execute(db),
    bookings: await sql`select name, email, phone, district, thana, price_range, weight, state, note, created_at
      from kurbani_bookings where phone = any(${phones}) order by id`.execute(db),
    areaRequests: await sql`select name, phone, place, state, note, created_at
      from area_requests where phone = any(${phones}) order by id`.execute(db),
    productWaits: await sql`select product_id, phone, lang, created_at
      from product_waits where phone = any(${phones}) order by id`.execute(db),
    orderDrafts: await sql`select form, created_at, updated_at
      from order_drafts where phone = any(${phones}) order by id`.execute(db),
    campaignOptOuts: await sql`select phone, source, at
      from sms_opt_outs where phone = any(${phones}) order by phone`.execute(db),
    campaigns: await sql`select campaign_id, phone, lang, state, reason
      from campaign_people where phone = any(${phones}) or customer_id = any(${ids}) order by campaign_id, phone`.execute(db),
    messages: await sql`select purpose, template, phone, case when purpose = 'code' then null else body end as body, state, created_at
      from sms_outbox where phone = any(${phones}) or order_id in ${orders} order by id`.execute(db),
    statementRows: await sql`select day, amount_poisha, reference, details, explanation
      from statement_rows where ${containsPhone(sql`concat(details, '|', explanation)`, phones)} order by id`.execute(db),
    savedFilters: { rows: (await findSavedFilters(db, phones)).map(({ screen, query }) => ({ screen, query })) },
    heldSales: await sql`select name, held_at, sale
      from held_sales where ${isPhoneOf(sql`sale ->> 'phone'`, phones)} order by held_at`.execute(db),
    auditLog: await sql`select at, action, subject, subject_id, before, after
      from audit_log where (subject = 'customer' and subject_id = any(${ids.map(String)}))
        or (subject = 'order' and subject_id in (select id::text from orders o where o.customer_id = any(${ids})))
        or ${namesPhone(phones)} or ${isAboutRequests(phones)} or ${isAboutPayments({ ids, phones })} order by id`.execute(db),
  }
}
