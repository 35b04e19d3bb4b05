import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { cutSms } from '#features/settings/sms/text-rules.ts'

/** `code` goes before everything else and is not sent late; `order` is word of something that happened; `staff` is written by hand. */
export type SmsPurpose = 'code' | 'order' | 'staff'

export type NewSms = {
  purpose: SmsPurpose
  orderId?: number | null
  /** What happened, once in the life of an order: `order-expired`, `payment-received-7`. */
  event: string
  /** `01XXXXXXXXX` */
  phone: string
  text: string
  sentBy?: number | null
}

/** Later than this the person has long asked for another. */
const CODE_SECONDS = 120
const DAY_SECONDS = 86_400

/**
 * Puts a message into the outbox, in the transaction of what it tells of. The same event of the same order is told once: null
 * when it is there already. Too long a text is cut to what may be sent.
 */
export async function queueSms(tx: Db, sms: NewSms): Promise<number | null> {
  const seconds = sms.purpose === 'code' ? CODE_SECONDS : DAY_SECONDS
  const { rows } = await sql<{ id: number }>`
    insert into sms_outbox (purpose, order_id, template, phone, body, expires_at, sent_by)
    values (${sms.purpose}, ${sms.orderId ?? null}, ${sms.event}, ${sms.phone}, ${cutSms(sms.text)},
      now() + make_interval(secs => ${seconds}), ${sms.sentBy ?? null})
    on conflict (purpose, order_id, template, phone) do nothing returning id`.execute(tx)
  return rows[0]?.id ?? null
}
