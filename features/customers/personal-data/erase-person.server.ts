import { sql } from 'kysely'
import { IS_OPEN } from '#features/orders/status-conditions.server.ts'
import { CHANGED_REASON, EXPIRED_REASON } from '#features/orders/status/own-cancel-rules.ts'
import { ERASED } from '#lib/format/shown-name.ts'
import { DAY_MS } from '#lib/format/time.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import {
  findPerson,
  findSavedFilters,
  isAboutPayments,
  isAboutRequests,
  isPhoneOf,
  namesPhone,
  type Person,
  containsPhone,
  withoutPrefix,
} from './read-personal-data.server.ts'

/**
 * Why a person cannot be erased yet: the data is needed to finish what is open. `payments`: money that is not in the ledger waits for the staff,
 * or may come to a payment page of the last day. `changed`: the person was merged or has another phone since it was found.
 */
export type EraseConflict = 'open-orders' | 'money-due' | 'account' | 'store-credit' | 'refunds' | 'payments' | 'changed'
export type EraseResult = { ok: true; orders: number } | { ok: false; reasons: EraseConflict[] }

/** Stored in place of a typed reason. */
const ERASED_REASON = `${ERASED.en} · ${ERASED.bn}`

/** Fields of events and of the audit log that may hold personal data, in any writing. */
const PERSONAL_KEY =
  /^(name|phone|email|address|landmark|note|remarks|alternate_?phone|sender|from_?phone|to_?phone|customer|text|body|tags|reason)$/i

/**
 * Erases a person's data in one transaction: accounts are closed, reviews, addresses, notes, sessions, bookings and message texts deleted, and name, phone
 * and address in orders replaced. Orders, ledger, stock and references of payments stay, because tax law asks for accounts (decision 36).
 */
export function erasePerson(db: Db, person: Person, now: Date): Promise<EraseResult> {
  const { ids, phones } = person
  return inTransaction(db, async (tx) => {
    await sql`select id from orders where customer_id = any(${ids}) order by id for update`.execute(tx)
    await sql`select id from users where id = any(${ids}) order by id for update`.execute(tx)
    if (!(await isUnchanged(tx, person))) return { ok: false, reasons: ['changed'] }
    const reasons = await listConflicts(tx, ids, now)
    if (reasons.length > 0) return { ok: false, reasons }
    await eraseRecords(tx, ids, phones)
    await eraseHistory(tx, ids, phones)
    const orders = await eraseOrders(tx, ids, phones)
    await eraseAccounts(tx, ids, now)
    return { ok: true, orders }
  })
}

/** Whether the person still has these accounts and phones: a merge or another phone would leave data behind. */
async function isUnchanged(tx: Db, { ids, phones }: Person): Promise<boolean> {
  const found = await findPerson(tx, phones[0] ?? '')
  return JSON.stringify(found) === JSON.stringify({ ids, phones })
}

/** The time for which a payment page may bring money after its order has ended. */
const PAGE_MS = DAY_MS

async function listConflicts(tx: Db, ids: number[], now: Date): Promise<EraseConflict[]> {
  const { rows } = await sql<Record<Exclude<EraseConflict, 'changed'>, boolean>>`select
    exists (select 1 from orders o where customer_id = any(${ids}) and ${IS_OPEN}) as "open-orders",
    exists (select 1 from orders o where customer_id = any(${ids}) and amount_due(o) <> 0) as "money-due",
    exists (select 1 from unnest(${ids}::bigint[]) u where account_balance(u) <> 0) as "account",
    exists (select 1 from unnest(${ids}::bigint[]) u where store_credit_balance(u) <> 0) as "store-credit",
    exists (select 1 from gateway_refunds r join orders o on o.id = r.order_id
      where o.customer_id = any(${ids}) and r.state not in ('done', 'failed')) as "refunds",
    exists (select 1 from orders o where o.customer_id = any(${ids}) and (o.needs_attention is not null
      or has_unchecked_payment(o) or exists (select 1 from payment_attempts a where a.order_id = o.id and a.gateway_ref is not null
        and a.state in ('initiated', 'pending', 'failed', 'expired') and a.created_at > ${new Date(now.getTime() - PAGE_MS)}))) as "payments"`.execute(
    tx,
  )
  return Object.entries(rows[0]!).flatMap(([reason, holds]) => (holds ? [reason as EraseConflict] : []))
}

/** Deletes rows that only served the person. */
async function eraseRecords(tx: Db, ids: number[], phones: string[]): Promise<void> {
  // The log says what staff decided and answered.
  const reviews = sql`(select r.id from reviews r join orders o on o.id = r.order_id where o.customer_id = any(${ids}))`
  await sql`update audit_log set before = '{}', after = '{}' where subject = 'review' and subject_id in (select id::text from ${reviews} r)`.execute(
    tx,
  )
  await sql`update audit_log set before = '{}', after = '{}' where ${isAboutRequests(phones)}`.execute(tx)
  await sql`delete from reviews where id in ${reviews}`.execute(tx)
  await sql`delete from addresses where customer_id = any(${ids})`.execute(tx)
  await sql`delete from customer_notes where customer_id = any(${ids})`.execute(tx)
  await sql`delete from sessions where user_id = any(${ids})`.execute(tx)
  await sql`delete from push_subscriptions where user_id = any(${ids})`.execute(tx)
  await sql`delete from second_factors where user_id = any(${ids})`.execute(tx)
  await sql`delete from recovery_codes where user_id = any(${ids})`.execute(tx)
  await sql`delete from challenges where user_id = any(${ids}) or phone = any(${phones})`.execute(tx)
  await sql`delete from kurbani_bookings where phone = any(${phones})`.execute(tx)
  await sql`delete from area_requests where phone = any(${phones})`.execute(tx)
  await sql`delete from product_waits where phone = any(${phones})`.execute(tx)
  await sql`delete from order_drafts where phone = any(${phones})`.execute(tx)
  await sql`delete from sms_opt_outs where phone = any(${phones})`.execute(tx)
  await sql`with gone as (delete from campaign_people where phone = any(${phones}) or customer_id = any(${ids}) returning campaign_id, phone)
    delete from sms_outbox s using gone where s.campaign_id = gone.campaign_id and s.phone = gone.phone`.execute(tx)
  await sql`delete from held_sales where ${isPhoneOf(sql`sale ->> 'phone'`, phones)}`.execute(tx)
  await sql`delete from attempt_counts where key like any(${phones.map((phone) => `%${phone}%`)})`.execute(tx)
  await eraseTypedPhones(tx, phones)
}

/** Phones in texts about many people: searches that staff saved, and statements of bank and wallet accounts, which name the sender. */
async function eraseTypedPhones(tx: Db, phones: string[]): Promise<void> {
  const filters = await findSavedFilters(tx, phones)
  await sql`delete from saved_filters where id = any(${filters.map(({ id }) => id)})`.execute(tx)
  for (const digits of phones.map(withoutPrefix))
    await sql`update statement_rows set details = replace(details, ${digits}, ${ERASED.en}) where strpos(details, ${digits}) > 0`.execute(
      tx,
    )
  await sql`update statement_rows set details = case when ${containsPhone(sql`details`, phones)} then ${ERASED.en} else details end,
      explanation = case when ${containsPhone(sql`explanation`, phones)} then ${ERASED_REASON} else explanation end
    where ${containsPhone(sql`concat(details, '|', explanation)`, phones)}`.execute(tx)
}

/** Rows whose JSON is in memory at once: an old customer may have many. */
const BATCH_SIZE = 500

async function inBatches(rows: readonly { id: number }[], work: (ids: number[]) => Promise<void>): Promise<void> {
  const ids = rows.map(({ id }) => id)
  for (let at = 0; at < ids.length; at += BATCH_SIZE) await work(ids.slice(at, at + BATCH_SIZE))
}

/** The rows of events, audit log and messages stay; what they say about the person goes. */
async function eraseHistory(tx: Db, ids: number[], phones: string[]): Promise<void> {
  const orders = sql`(select id from orders where customer_id = any(${ids}))`
  const events = await sql<{ id: number }>`select id from order_events
    where order_id in ${orders} or detail #>> '{phone,from}' = any(${phones}) or detail #>> '{phone,to}' = any(${phones})`.execute(tx)
  await inBatches(events.rows, async (batch) => {
    const { rows } = await sql`select id, detail from order_events where id = any(${batch})`.execute(tx)
    await sql`update order_events t set detail = e.detail
      from jsonb_to_recordset(${JSON.stringify(rows.map(withoutPersonal))}::jsonb) as e (id bigint, detail jsonb) where t.id = e.id`.execute(
      tx,
    )
  })
  const audited = await sql<{ id: number }>`select id from audit_log
    where (subject = 'customer' and subject_id = any(${ids.map(String)}))
      or (subject = 'order' and subject_id in (select id::text from ${orders} o))
      or ${namesPhone(phones)} or ${isAboutPayments({ ids, phones })}`.execute(tx)
  await inBatches(audited.rows, async (batch) => {
    const { rows } = await sql`select id, before, after from audit_log where id = any(${batch})`.execute(tx)
    await sql`update audit_log t set before = e.before, after = e.after
      from jsonb_to_recordset(${JSON.stringify(rows.map(withoutPersonal))}::jsonb) as e (id bigint, before jsonb, after jsonb) where t.id = e.id`.execute(
      tx,
    )
  })
  await eraseRecordsOfOthers(tx, phones)
  await sql`update advance_reports set sender = '', reason = case when reason = '' then '' else ${ERASED_REASON} end where order_id in ${orders}`.execute(
    tx,
  )
  await sql`update gateway_refunds set reason = ${ERASED_REASON} where order_id in ${orders}`.execute(tx)
  await sql`update statement_matches set reason = ${ERASED_REASON} where reason is not null
    and entry_id in (select id from ledger_entries where order_id in ${orders})`.execute(tx)
  await sql`delete from email_outbox where order_id in ${orders}`.execute(tx)
  await sql`delete from conversion_events where order_id in ${orders}`.execute(tx)
  await eraseOrderSms(tx, ids)
  await sql`delete from sms_outbox where order_id is null and phone = any(${phones})`.execute(tx)
  // Nobody is left to whom these could belong. SMS about the person's own orders have an account.
  if (ids.length === 0)
    await sql`delete from sms_outbox s using orders o where s.phone = any(${phones}) and o.id = s.order_id and o.phone <> s.phone`.execute(
      tx,
    )
}

/** Entries about other customers who were given the phone, by mistake or before the person had it. They lose the phone alone. */
async function eraseRecordsOfOthers(tx: Db, phones: string[]): Promise<void> {
  const without = (json: 'before' | 'after') => {
    const column = sql.ref(json)
    return sql`${column} = case when ${column} ->> 'phone' = any(${phones}) then ${column} - 'phone' else ${column} end`
  }
  await sql`update audit_log set ${without('before')}, ${without('after')}
    where subject = 'customer' and (before ->> 'phone' = any(${phones}) or after ->> 'phone' = any(${phones}))`.execute(tx)
}

/** Erases the SMS about the person's orders, and those about other orders that went to the person's number by mistake. */
async function eraseOrderSms(tx: Db, ids: number[]): Promise<void> {
  // One SMS may have gone to the wrong and to the corrected number, which become the same.
  await sql`delete from sms_outbox s using orders o, sms_outbox later where o.id = s.order_id and o.customer_id = any(${ids})
    and later.order_id = s.order_id and later.purpose = s.purpose and later.template = s.template and later.id > s.id`.execute(tx)
  const state = sql`case s.state when 'queued' then 'skipped' else s.state end`
  await sql`update sms_outbox s set body = '', phone = ${erasedPhone(sql`o.customer_id`)}, state = ${state} from orders o
    where o.id = s.order_id and o.customer_id = any(${ids})`.execute(tx)
  await sql`update sms_outbox s set body = '', phone = ${erasedPhone(sql`u.id`)}, state = ${state} from users u, orders o
    where u.id = any(${ids}) and s.phone = u.phone and o.id = s.order_id and o.phone <> u.phone`.execute(tx)
}

/** Leaves out personal fields at any depth: the record of a merge has them one level deeper. */
function withoutPersonal(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutPersonal)
  if (typeof json !== 'object' || json === null) return json
  const others = Object.entries(json).filter(([key]) => !PERSONAL_KEY.test(key))
  return Object.fromEntries(others.map(([key, value]) => [key, withoutPersonal(value)]))
}

async function eraseOrders(tx: Db, ids: number[], phones: string[]): Promise<number> {
  await sql`update animal_holds h set phone = null, browser_key = null, network_key = null from orders o
    where o.id = h.order_id and o.customer_id = any(${ids})`.execute(tx)
  await sql`update pos_returns set reason = ${ERASED_REASON}
    where phone = any(${phones}) or order_id in (select id from orders where customer_id = any(${ids}))`.execute(tx)
  await sql`update pos_returns r set phone = ${erasedPhone(sql`coalesce((select id from users u where u.phone = r.phone), 0)`)}
    where phone = any(${phones})`.execute(tx)
  await sql`update order_lines l set note = '' from orders o where o.id = l.order_id and o.customer_id = any(${ids}) and l.note <> ''`.execute(
    tx,
  )
  await sql`delete from order_tags t using orders o where o.id = t.order_id and o.customer_id = any(${ids})`.execute(tx)
  // A new view key: old links to the invoice show nothing. A sale over the counter is recognised by its empty address.
  const { numAffectedRows } = await sql`update orders set name = ${ERASED.en}, phone = ${erasedPhone(sql`customer_id`)}, email = '',
      alternate_phone = '', address = case when address = '' then '' else ${ERASED.en} end, landmark = '', note = '', remarks = '', access_token_hash = null,
      reason = case when reason <> all(${[CHANGED_REASON, EXPIRED_REASON]}) then ${ERASED_REASON} else reason end,
      view_key = replace(gen_random_uuid()::text, '-', ''), version = version + 1
    where customer_id = any(${ids})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

async function eraseAccounts(tx: Db, ids: number[], now: Date): Promise<void> {
  await sql`update users set name = ${ERASED.en}, phone = ${erasedPhone(sql`id`)}, email = null, email_at = null, password_hash = null,
      phone_verified_at = null, disabled_at = coalesce(disabled_at, ${now}), credit_limit_poisha = 0
    where id = any(${ids})`.execute(tx)
}

/** The phone of an erased customer: 00 and nine digits of the id, see migration 0174. */
export function erasedPhone(id: ReturnType<typeof sql>) {
  return sql`'00' || lpad((${id} % 1000000000)::text, 9, '0')`
}
