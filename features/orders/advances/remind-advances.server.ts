import { sql } from 'kysely'
import { orderSmsLang, orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { isQuiet, lastAwake } from '#features/messaging/quiet-rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { formatDateTime } from '#lib/format/time.ts'
import type { Settings } from '#features/settings/settings.ts'

interface ReminderDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  facts: { settings(): Promise<Settings> }
}

const HOUR = 3_600_000
/** Shorter holds need no reminder: the confirmation was just read. */
const MIN_HOLD = '2 hours'
/** No reminder within this time after placing. */
const MIN_AGE = '1 hour'
const MAX_AT_ONCE = 50
const EVENT = 'advance-reminder'

/**
 * Reminds customers of advances that they send by hand, one hour before the order expires; before quiet hours begin. At most once per order,
 * by any number of processes; not where an advance was reported or paid, or the order has ended. Returns the number of SMS.
 */
export async function remindOfAdvances(deps: ReminderDeps): Promise<number> {
  const settings = await deps.facts.settings()
  const now = deps.now()
  if (isQuiet(now, settings.quiet_hours)) return 0
  const shop = orderSmsShop(deps.env.publicUrl, settings)
  return inTransaction(deps.db, async (tx) => {
    // Locks the orders against payments, reports and other processes until the SMS is in the outbox.
    const { rows } = await sql<{ id: number; lang: Lang; expires_at: Date; amount: Poisha }>`
      select o.id, o.lang, o.expires_at, least(amount_due(o), o.payable_poisha - amount_received(o))::bigint as amount
      from orders o
      where o.status = 'placed' and o.payment_type = 'partial' and o.payment_gateway = 'NONE'
        and o.expires_at > ${now} and o.expires_at <= ${new Date(now.getTime() + 24 * HOUR)}
        and o.expires_at - o.placed_at > ${MIN_HOLD}::interval and o.placed_at <= ${now}::timestamptz - ${MIN_AGE}::interval
        and least(amount_due(o), o.payable_poisha - amount_received(o)) > 0
        and not exists (select 1 from advance_reports c where c.order_id = o.id and c.state in ('waiting', 'verified'))
        and not exists (select 1 from sms_outbox s where s.order_id = o.id and s.purpose = 'order' and s.template = ${EVENT})
      order by o.expires_at, o.id limit ${MAX_AT_ONCE} for no key update of o skip locked`.execute(tx)
    const due = rows.filter((order) => lastAwake(new Date(order.expires_at.getTime() - HOUR), settings.quiet_hours) <= now)
    let told = 0
    for (const { id, lang, expires_at, amount } of due) {
      const more = { amount, until: formatDateTime(expires_at, orderSmsLang(lang, settings)) }
      if ((await queueOrderSms(tx, shop, { orderId: id, event: EVENT, text: settings.messages.advanceReminder, more })) !== null) told += 1
    }
    return told
  })
}
