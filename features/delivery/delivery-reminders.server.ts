import { type RawBuilder, sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { addOrderEvents } from '#features/audit/order-events.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsLang, orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { nextQuietStart, dhakaHour, isQuiet } from '#features/settings/sms/quiet-rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { addDays, dhakaDate, dhakaInstant } from '#lib/format/time.ts'
import type { Poisha } from '#lib/format/money.ts'
import { comesOn, IS_EXPECTED, IS_IN_REVIEW } from '../orders/delivery-dates.server.ts'
import { collectedOn, partOn } from './collected.server.ts'

export interface DeliveryReminderDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
}

const BATCH_SIZE = 50
/** Maximum reminders of one run; the next run sends the rest. */
const MAX_PER_RUN = 1000

/** The key of a reminder. It contains the day, so that a moved order gets another reminder. */
const eventOf = (day: string) => `delivery-${day}`

/** The beginning of the keys of SMS about a delivery that was moved. */
export const MOVED_EVENTS = 'delivery-moved-'

/** A reminder `s` that was not sent because its order had left the day does not count: the order may have come back. */
export const IS_OVERTAKEN = sql`(s.state = 'skipped' and s.failure = 'overtaken')`

/** Reminders `s` for a day. */
const isReminderFor = (day: string) => sql`s.purpose = 'order' and s.template = ${eventOf(day)} and not ${IS_OVERTAKEN}`

/** Orders `o` with a delivery on the day and without a reminder for it. Orders that wait for a payment or its review are excluded. */
function notYetReminded(day: string, ids: readonly number[] | null): RawBuilder<unknown> {
  const only = ids === null ? sql`` : sql`and o.id = any(${ids}::bigint[])`
  return sql`orders o where ${comesOn(day)} and ${IS_EXPECTED} and not ${IS_IN_REVIEW} ${only}
      and not exists (select 1 from sms_outbox s where s.order_id = o.id and ${isReminderFor(day)})`
}

/** The number of orders of tomorrow without a reminder, counted up to `max`. */
export async function countNotYetReminded(db: Db, now: Date, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (select 1 from ${notYetReminded(addDays(dhakaDate(now), 1), null)} limit ${max}) found`.execute(db)
  return rows[0]?.count ?? 0
}

/** The scheduled job. Sends from the configured hour, outside of quiet hours, unless it is switched off. Returns the number of reminders. */
export async function sendDeliveryReminders(deps: DeliveryReminderDeps): Promise<number> {
  const { delivery_sms, quiet_hours } = await deps.shopCache.settings()
  const now = deps.now()
  if (!delivery_sms.automatic || dhakaHour(now) < delivery_sms.hour || isQuiet(now, quiet_hours)) return 0
  return sendAll(deps, null, null)
}

export type DeliveryReminderResult = { ok: true; sent: number; already: number } | { ok: false; reason: 'quiet' }

/** Sends reminders on request, for the selected orders or for all, once per order. `already`: selected orders with an earlier reminder. */
export async function sendDeliveryRemindersByStaff(
  deps: DeliveryReminderDeps,
  actor: Actor,
  ids: readonly number[] | null,
): Promise<DeliveryReminderResult> {
  const { quiet_hours } = await deps.shopCache.settings()
  if (isQuiet(deps.now(), quiet_hours)) return { ok: false, reason: 'quiet' }
  const sent = await sendAll(deps, actor, ids)
  const all = ids === null ? sent : await countReminded(deps.db, deps.now(), ids)
  return { ok: true, sent, already: all - sent }
}

async function countReminded(db: Db, now: Date, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct order_id)::int as count from sms_outbox s
    where order_id = any(${ids}::bigint[]) and ${isReminderFor(addDays(dhakaDate(now), 1))}`.execute(db)
  return rows[0]?.count ?? 0
}

async function sendAll(deps: DeliveryReminderDeps, actor: Actor | null, ids: readonly number[] | null): Promise<number> {
  let sent = 0
  while (sent < MAX_PER_RUN) {
    const count = await sendBatch(deps, actor, ids)
    sent += count
    if (count < BATCH_SIZE) break
  }
  return sent
}

/** An order with a delivery tomorrow. */
interface DeliveryTomorrow {
  id: number
  lang: Lang
  /** The place of collection, where the customer collects it. */
  address: string
  delivery: keyof typeof TEXTS
  /** The product names of one of two deliveries; null for a single delivery. */
  products: Record<Lang, string> | null
  /** What the delivery collects. */
  due: Poisha
}

const TEXTS = {
  collection: 'collectionTomorrow',
  only: 'deliveryTomorrow',
  first: 'firstDeliveryTomorrow',
  last: 'lastDeliveryTomorrow',
} as const

const deliveryOn = (day: string) => sql`case when o.is_collection then 'collection' else ${partOn(day)} end`

const productsOn = (day: string) => sql`case when first_delivery_on(o) is not null then (
    select json_build_object('en', string_agg(l.name_en, ', ' order by l.position), 'bn', string_agg(l.name_bn, ', ' order by l.position))
    from order_lines l where l.order_id = o.id and line_delivery_on(o, l.delivery_on) = ${day}::date) end`

/** Queues one batch of reminders. The orders stay locked until their messages are stored; concurrent runs skip them. */
async function sendBatch(deps: DeliveryReminderDeps, actor: Actor | null, ids: readonly number[] | null): Promise<number> {
  const settings = await deps.shopCache.settings()
  const shop = orderSmsShop(deps.env.publicUrl, settings)
  const now = deps.now()
  const today = dhakaDate(now)
  const day = addDays(today, 1)
  // After midnight "tomorrow" would be another day. One that waits for the provider or the budget is not sent in quiet hours either.
  const validUntil = nextQuietStart(now, dhakaInstant(day, '00:00'), settings.quiet_hours)
  const validSeconds = (validUntil.getTime() - now.getTime()) / 1000
  return inTransaction(deps.db, async (tx) => {
    const { rows } =
      await sql<DeliveryTomorrow>`select o.id, o.lang, o.address, ${deliveryOn(day)} as delivery, ${productsOn(day)} as products,
        ${collectedOn({ day, today })} as due
      from ${notYetReminded(day, ids)} order by o.id limit ${BATCH_SIZE} for no key update of o skip locked`.execute(tx)
    // Those that do not count give their key to the new ones, and get that of a moved delivery. One that another process has sent since the
    // orders were found has its key still, so that the order has none twice.
    await sql`update sms_outbox s set template = ${MOVED_EVENTS}::text || s.id || '-' || ${day}::text
      where s.order_id = any(${rows.map(({ id }) => id)}::bigint[]) and s.purpose = 'order' and s.template = ${eventOf(day)} and ${IS_OVERTAKEN}`.execute(
      tx,
    )
    const sent: { orderId: number; kind: string; detail: object }[] = []
    for (const { id, lang, delivery: part, products, address, due } of rows) {
      const smsLang = orderSmsLang(lang, settings)
      const place = settings.collection.address[smsLang] || address
      const goods = products === null ? {} : { goods: products[smsLang], due }
      const sms = {
        orderId: id,
        event: eventOf(day),
        text: settings.messages[TEXTS[part]],
        sentBy: actor?.id ?? null,
        validSeconds,
        more: part === 'collection' ? { place } : goods,
      }
      const smsId = await queueOrderSms(tx, shop, sms)
      if (smsId !== null) sent.push({ orderId: id, kind: 'delivery-announced', detail: { sms: smsId, day } })
    }
    if (sent.length === 0) return 0
    await addOrderEvents(tx, actor ?? { kind: 'system', id: null }, now, sent)
    const orders = sent.map(({ orderId }) => orderId)
    if (actor) await audit(tx, actor, { action: 'sent', subject: 'sms', id: eventOf(day), after: { orders } })
    return sent.length
  })
}
