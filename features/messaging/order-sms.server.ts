import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { shownName } from '#lib/format/shown-name.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { IS_HANDED_OVER } from '#features/orders/status-conditions.server.ts'
import { queueSms } from './queue-sms.server.ts'
import { fillSms, type SmsHandover, smsDelivery, type SmsValues } from '#features/settings/sms/text-rules.ts'

/** The shop's values in an SMS: the address of links, the phone, and whether English is allowed. */
export type OrderSmsShop = { publicUrl: string; phone: string; english: boolean }

/** `OrderSmsShop` from the shop's settings. */
export function orderSmsShop(publicUrl: string, settings: { shop: { phone: string }; sms_english: boolean }): OrderSmsShop {
  return { publicUrl, phone: settings.shop.phone, english: settings.sms_english }
}

/** The language of an order's SMS: English if it was ordered in English and the setting allows it, else Bengali. */
export function orderSmsLang(orderLang: Lang, settings: { sms_english: boolean }): Lang {
  return settings.sms_english ? orderLang : 'bn'
}

type OrderSms = { phone: string; lang: Lang; values: SmsValues }

/** The delivery dates of an order `o`; null while it waits for payment. */
const promisedDates = sql`case when o.expires_at is null then to_json(array_remove(array[first_delivery_on(o), o.deliver_on], null)) end`

async function findOrderSms(db: Db, orderId: number, shop: OrderSmsShop): Promise<OrderSms | null> {
  const { rows } = await sql<{
    name: string
    phone: string
    lang: Lang
    view_key: string
    total_poisha: Poisha
    due: Poisha
    dates: string[] | null
    handover: SmsHandover
  }>`
    select name, phone, lang, view_key, total_poisha + settlement_poisha as total_poisha, greatest(0, amount_due(o)) as due, ${promisedDates} as dates,
      case when is_over_counter(o) then 'counter'
        when ${IS_HANDED_OVER} then case when is_collection then 'collected' else 'delivered' end
        when is_collection then 'collection' else 'delivery' end as handover
    from orders o where id = ${orderId}`.execute(db)
  const order = rows[0]
  if (!order) return null
  const link = `${shop.publicUrl}/invoice/${orderId}?key=${order.view_key}`
  const lang = orderSmsLang(order.lang, { sms_english: shop.english })
  const day = smsDelivery(order.dates, lang, order.handover)
  const values = {
    name: shownName(order.name, lang),
    order: orderId,
    total: order.total_poisha,
    due: order.due,
    day,
    link,
    phone: shop.phone,
  }
  return { phone: order.phone, lang, values }
}

/**
 * Queues an SMS about an event of an order, in the transaction of the event and in the language of the order's SMS. `text` is the
 * owner's template; `more` has fields besides those of the order. Null when this event was queued already.
 */
export async function queueOrderSms(
  tx: Db,
  shop: OrderSmsShop,
  sms: { orderId: number; event: string; text: Record<Lang, string>; more?: SmsValues; sentBy?: number | null; validSeconds?: number },
): Promise<number | null> {
  const order = await findOrderSms(tx, sms.orderId, shop)
  if (!order) throw new Error(`There is no order ${sms.orderId}`)
  const text = fillSms(sms.text[order.lang], { ...order.values, ...sms.more }, order.lang)
  const { orderId, event, sentBy = null, validSeconds } = sms
  return queueSms(tx, { purpose: 'order', orderId, event, phone: order.phone, text, sentBy, validSeconds })
}

/** The shop's templates filled in for one order, as drafts of a message; null when there is no such order. */
export async function listOrderTexts<Key extends string>(
  db: Db,
  shop: OrderSmsShop,
  orderId: number,
  texts: Record<Key, Record<Lang, string>>,
): Promise<{ key: Key; text: string }[] | null> {
  const order = await findOrderSms(db, orderId, shop)
  if (!order) return null
  const keys = Object.keys(texts) as Key[]
  return keys.map((key) => ({ key, text: fillSms(texts[key][order.lang], order.values, order.lang) }))
}
