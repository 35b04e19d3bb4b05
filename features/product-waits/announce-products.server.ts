import { sql } from 'kysely'
import { IS_ORDERABLE } from '#features/catalog/orderable.server.ts'
import { orderSmsLang } from '#features/messaging/order-sms.server.ts'
import { campaignDailyLimit } from '#features/messaging/campaign-limit-rules.ts'
import { deferQueuedSms, queueSms } from '#features/messaging/queue-sms.server.ts'
import { IS_TO_SEND } from '#features/orders/status-conditions.server.ts'
import { isQuiet, quietEnd } from '#features/settings/sms/quiet-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import { toGsmText } from '#features/settings/sms/text-rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { DHAKA_TODAY } from '#lib/db/dhaka-day.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'

export interface AnnounceDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
}

/** An animal `p` is sold once its advance has come, and for sale again when its order is cancelled. */
const IS_BOOKED = sql`exists (select 1 from animal_holds h join orders o on o.id = h.order_id where h.product_id = p.id and ${IS_TO_SEND})`

const BATCH_SIZE = 50
/** Maximum messages of one run; the next run sends the rest. */
const MAX_PER_RUN = 1000
/** Every visitor may state any number, book an animal, and cancel the booking: it can be ordered again as often as they like. */
const MAX_PER_PHONE_AND_DAY = 3

const IS_DUE = sql`p.visible and ${IS_ORDERABLE}`

/** The beginning of the events of these messages. */
export const FREE_PRODUCT_EVENTS = 'product-free-'

/** Read first: else PostgreSQL counts the messages of all who wait. */
const DUE_WAITS = sql`select w.id from product_waits w join products p on p.id = w.product_id where ${IS_DUE}`

/** Of one phone a batch has the first due wait `w` alone, so that the next batch counts its message. */
const HAS_ROOM = sql`not exists (select 1 from product_waits e join products p on p.id = e.product_id
    where e.phone = w.phone and e.id < w.id and ${IS_DUE})
  and (select count(*) from sms_outbox s where s.phone = w.phone and s.template like ${`${FREE_PRODUCT_EVENTS}%`}
    and s.created_at > now() - interval '1 day') < ${MAX_PER_PHONE_AND_DAY}`

interface DueWait {
  id: number
  product_id: number
  phone: string
  lang: Lang
  name_en: string
  name_bn: string
}

/**
 * The scheduled job: one SMS to everyone who waits for a product that can be ordered again, outside of quiet hours. A number gets three a
 * day; its other waits go on. All together they leave the last fifth of the day's budget to messages about orders, and what is left of the waits
 * goes out on the next day. Waits for sold and archived products end without one, those for an animal when it is sent. Returns the number of
 * messages.
 */
export async function announceProducts(deps: AnnounceDeps): Promise<number> {
  await sql`delete from product_waits w using products p
    where p.id = w.product_id and (p.archived_at is not null or (p.status = 'sold' and not ${IS_BOOKED}))`.execute(deps.db)
  const settings = await deps.shopCache.settings()
  const now = deps.now()
  if (isQuiet(now, settings.quiet_hours)) {
    await deferQueuedSms(deps.db, FREE_PRODUCT_EVENTS, quietEnd(now, settings.quiet_hours))
    return 0
  }
  let sent = 0
  while (sent < MAX_PER_RUN) {
    const count = await announceBatch(deps, settings)
    sent += count
    if (count < BATCH_SIZE) break
  }
  return sent
}

/** Queues one batch. A wait is deleted in the transaction of its message, so that each has one; concurrent runs skip locked rows. */
function announceBatch({ db, env }: AnnounceDeps, settings: Settings): Promise<number> {
  return inTransaction(db, async (tx) => {
    const room = await findRoom(tx, campaignDailyLimit(settings.sms_daily_limit))
    if (room === 0) return 0
    const { rows } = await sql<DueWait>`delete from product_waits where id in (
        select w.id from product_waits w where w.id = any(array(${DUE_WAITS})) and ${HAS_ROOM} order by w.id limit ${Math.min(room, BATCH_SIZE)} for update of w skip locked)
      returning id, product_id, phone, lang,
        (select name_en from products p where p.id = product_id) as name_en, (select name_bn from products p where p.id = product_id) as name_bn`.execute(
      tx,
    )
    for (const wait of rows) {
      const lang = orderSmsLang(wait.lang, settings)
      const values = {
        name: lang === 'bn' ? wait.name_bn : wait.name_en,
        shop: settings.shop.name[lang],
        link: `${env.publicUrl}/product/${wait.product_id}`,
      }
      const text = translate(lang)('wait.sms', values)
      // The number of the wait makes the message its own event: a later wait for the same product has another.
      await queueSms(tx, {
        purpose: 'order',
        event: `${FREE_PRODUCT_EVENTS}${wait.id}`,
        phone: wait.phone,
        text: lang === 'en' ? toGsmText(text) : text,
      })
    }
    return rows.length
  })
}

/** The messages that are left of the limit of a day, besides those that wait in the outbox. */
async function findRoom(tx: Db, dailyLimit: number): Promise<number> {
  const { rows } = await sql<{ used: number }>`select coalesce((select sent from sms_days where day = ${DHAKA_TODAY}), 0)
    + (select count(*)::int from sms_outbox where state = 'queued' and purpose <> 'code') as used`.execute(tx)
  return Math.max(0, dailyLimit - rows[0]!.used)
}
