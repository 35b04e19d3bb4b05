import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { queueSms } from './queue-sms.server.ts'
import { fillSms, smsDelivery, type SmsFacts } from './rules.ts'

/** Whose words they are, and where their links lead. */
export type OrderSmsShop = { publicUrl: string; phone: string; english: boolean }

/** The same from the shop's settings. */
export function orderSmsShop(publicUrl: string, settings: { shop: { phone: string }; sms_english: boolean }): OrderSmsShop {
  return { publicUrl, phone: settings.shop.phone, english: settings.sms_english }
}

/** The language of an order's SMS: Bengali, unless the owner lets those who ordered in English read English. */
export function orderSmsLang(orderLang: Lang, settings: { sms_english: boolean }): Lang {
  return settings.sms_english ? orderLang : 'bn'
}

type OrderFacts = { phone: string; lang: Lang; facts: SmsFacts }

/** The delivery dates of an order `o`; null while it waits for payment. */
const promisedDates = sql`case when o.expires_at is null then to_json(array_remove(array[first_delivery_on(o), o.deliver_on], null)) end`

async function findOrderFacts(db: Db, orderId: number, shop: OrderSmsShop): Promise<OrderFacts | null> {
  const { rows } = await sql<{
    name: string
    phone: string
    lang: Lang
    view_key: string
    total_poisha: Poisha
    due: Poisha
    dates: string[] | null
  }>`
    select name, phone, lang, view_key, total_poisha + settlement_poisha as total_poisha, greatest(0, amount_due(o)) as due, ${promisedDates} as dates
    from orders o where id = ${orderId}`.execute(db)
  const order = rows[0]
  if (!order) return null
  const link = `${shop.publicUrl}/invoice/${orderId}?key=${order.view_key}`
  const lang = orderSmsLang(order.lang, { sms_english: shop.english })
  const day = smsDelivery(order.dates, lang)
  const facts = { name: order.name, order: orderId, total: order.total_poisha, due: order.due, day, link, phone: shop.phone }
  return { phone: order.phone, lang, facts }
}

/**
 * Tells the customer what happened to an order, in the language of its SMS; in the transaction in which it happens. `event`
 * is told once. `text` is the owner's; `more` is what it may speak of beyond the order as it stands. Null: told already.
 */
export async function queueOrderSms(
  tx: Db,
  shop: OrderSmsShop,
  sms: { orderId: number; event: string; text: Record<Lang, string>; more?: SmsFacts; sentBy?: number | null },
): Promise<number | null> {
  const order = await findOrderFacts(tx, sms.orderId, shop)
  if (!order) throw new Error(`There is no order ${sms.orderId} to tell of`)
  const text = fillSms(sms.text[order.lang], { ...order.facts, ...sms.more }, order.lang)
  return queueSms(tx, { purpose: 'order', orderId: sms.orderId, event: sms.event, phone: order.phone, text, sentBy: sms.sentBy ?? null })
}

/** Texts of the shop filled in for one order, to begin a message from; null when there is no such order. */
export async function listOrderTexts<Key extends string>(
  db: Db,
  shop: OrderSmsShop,
  orderId: number,
  texts: Record<Key, Record<Lang, string>>,
): Promise<{ key: Key; text: string }[] | null> {
  const order = await findOrderFacts(db, orderId, shop)
  if (!order) return null
  const keys = Object.keys(texts) as Key[]
  return keys.map((key) => ({ key, text: fillSms(texts[key][order.lang], order.facts, order.lang) }))
}
