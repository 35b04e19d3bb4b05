// Tells customers the new day of a delivery that an SMS has announced for another one: staff moved the order, or the date of a product changed.
import { type RawBuilder, sql } from 'kysely'
import { addOrderEvents } from '#features/audit/order-events.server.ts'
import { orderSmsLang, orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { deferQueuedSms } from '#features/messaging/queue-sms.server.ts'
import { isQuiet, quietEnd } from '#features/settings/sms/quiet-rules.ts'
import { smsDelivery } from '#features/settings/sms/text-rules.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { comesOnDate, IS_EXPECTED, IS_IN_REVIEW } from '../orders/delivery-dates.server.ts'
import { type DeliveryReminderDeps, IS_OVERTAKEN, MOVED_EVENTS } from './delivery-reminders.server.ts'

const BATCH_SIZE = 50

/** SMS `s` about the delivery of order `o`. Their keys end with its day. */
const IS_ABOUT_DELIVERY = sql`s.order_id = o.id and s.purpose = 'order' and s.template ~ '^delivery-'`

/** The day that the latest SMS about the delivery of order `o` names. */
const ANNOUNCED = sql`(select s.id, s.state, right(s.template, 10)::date as day from sms_outbox s
  where ${IS_ABOUT_DELIVERY} and s.state <> 'skipped' order by s.id desc limit 1)`

/** Orders `o` with a delivery from today on, but none on the day that their customer was told. `among`: another condition. */
const moved = (today: string, among: RawBuilder<unknown>) => sql`orders o cross join lateral ${ANNOUNCED} told
  where o.deliver_on >= ${today}::date and ${IS_EXPECTED} and not ${IS_IN_REVIEW} and not ${comesOnDate(sql`told.day`)} ${among}`

interface MovedDelivery {
  id: number
  lang: Lang
  is_collection: boolean
  /** The last SMS about the delivery, one that was overtaken included: the way back and forth is told again, a repeat is not. */
  last_sms: number
  /** The next delivery, and the last one. */
  day: string
  last: string
}

/** A part of the scheduled job. It does not depend on the setting of reminders, because staff send them by hand too. Returns the number of SMS. */
export async function announceMovedDeliveries(deps: DeliveryReminderDeps): Promise<number> {
  const settings = await deps.shopCache.settings()
  const now = deps.now()
  const today = dhakaDate(now)
  if (isQuiet(now, settings.quiet_hours)) {
    await deferQueuedSms(deps.db, MOVED_EVENTS, quietEnd(now, settings.quiet_hours))
    return 0
  }
  // The one look at all open orders. It nearly always finds none.
  const found = await sql<{
    id: number
  }>`select o.id from ${moved(today, sql`and told.state <> 'failed'`)} order by o.id limit ${BATCH_SIZE}`.execute(deps.db)
  if (found.rows.length === 0) return 0
  const among = sql`and o.id = any(${found.rows.map(({ id }) => id)}::bigint[])`
  const shop = orderSmsShop(deps.env.publicUrl, settings)
  return inTransaction(deps.db, async (tx) => {
    // One that still waits in the outbox is not sent: its customer learns the new day by the next reminder.
    await sql`update sms_outbox set state = 'skipped', failure = 'overtaken', updated_at = now()
      where state = 'queued' and id in (select told.id from ${moved(today, among)} and told.state = 'queued')`.execute(tx)
    // The first of two deliveries may have been made: then the day of the last one is told alone.
    const { rows } = await sql<MovedDelivery>`select o.id, o.lang, o.is_collection, o.deliver_on::text as last,
        (select max(s.id) from sms_outbox s where ${IS_ABOUT_DELIVERY} and (s.state <> 'skipped' or ${IS_OVERTAKEN})) as last_sms,
        (case when first_delivery_on(o) >= ${today}::date then first_delivery_on(o) else o.deliver_on end)::text as day
      from ${moved(today, among)} and told.state <> 'failed' order by o.id for no key update of o skip locked`.execute(tx)
    const events = []
    for (const { id, lang, is_collection, last_sms, day, last } of rows) {
      const dates = day === last ? [day] : [day, last]
      const sms = await queueOrderSms(tx, shop, {
        orderId: id,
        event: `${MOVED_EVENTS}${last_sms}-${day}`,
        text: settings.messages.deliveryMoved,
        more: { day: smsDelivery(dates, orderSmsLang(lang, settings), is_collection ? 'collection' : 'delivery') },
      })
      if (sms !== null) events.push({ orderId: id, kind: 'delivery-moved', detail: { sms, day } })
    }
    if (events.length > 0) await addOrderEvents(tx, { kind: 'system', id: null }, now, events)
    return events.length
  })
}
