import { sql } from 'kysely'
import { orderSmsLang, orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { isQuiet, lastBeforeQuiet } from '#features/settings/sms/quiet-rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { DAY_MS, HOUR_MS, dhakaDate, formatDateTime } from '#lib/format/time.ts'
import type { Settings } from '#features/settings/settings.ts'
import { AWAITS_ADVANCE } from '../status-conditions.server.ts'

interface ReminderDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
}

/** Orders with a shorter deadline get no reminder: their confirmation was just sent. */
const MIN_HOLD = '2 hours'
/** The minimum age of an order. */
const MIN_AGE = '1 hour'
/** Maximum orders of one run. */
const MAX_ORDERS = 50
const EVENT = 'advance-reminder'

/**
 * Reminds customers of advances by hand one hour before the order expires, or before quiet hours begin. At most one SMS per order, with any
 * number of processes. Skips orders with a reported or paid advance, and ended ones. Returns the number of SMS.
 */
export async function remindOfAdvances(deps: ReminderDeps): Promise<number> {
  const settings = await deps.shopCache.settings()
  const now = deps.now()
  if (isQuiet(now, settings.quiet_hours)) return 0
  const shop = orderSmsShop(deps.env.publicUrl, settings)
  return inTransaction(deps.db, async (tx) => {
    // Locks the orders against payments, reports and other processes until the SMS is in the outbox.
    const { rows } = await sql<{ id: number; lang: Lang; expires_at: Date; amount: Poisha }>`
      select o.id, o.lang, o.expires_at, still_payable(o) as amount
      from orders o
      where ${AWAITS_ADVANCE}
        and o.expires_at > ${now} and o.expires_at <= ${new Date(now.getTime() + DAY_MS)}
        and o.expires_at - o.placed_at > ${MIN_HOLD}::interval and o.placed_at <= ${now}::timestamptz - ${MIN_AGE}::interval
        and still_payable(o) > 0
        and not exists (select 1 from advance_reports c where c.order_id = o.id and c.state in ('waiting', 'verified'))
        and not exists (select 1 from sms_outbox s where s.order_id = o.id and s.purpose = 'order' and s.template = ${EVENT})
      order by o.expires_at, o.id limit ${MAX_ORDERS} for no key update of o skip locked`.execute(tx)
    const due = rows.filter((order) => lastBeforeQuiet(new Date(order.expires_at.getTime() - HOUR_MS), settings.quiet_hours) <= now)
    let sent = 0
    for (const { id, lang, expires_at, amount } of due) {
      const more = { amount, until: formatDateTime(expires_at, orderSmsLang(lang, settings), dhakaDate(now)) }
      const validSeconds = (expires_at.getTime() - now.getTime()) / 1000
      const sms = { orderId: id, event: EVENT, text: settings.messages.advanceReminder, more, validSeconds }
      if ((await queueOrderSms(tx, shop, sms)) !== null) sent += 1
    }
    return sent
  })
}
