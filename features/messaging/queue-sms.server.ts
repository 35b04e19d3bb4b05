import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { cutSms } from '#features/settings/sms/text-rules.ts'

/** `code`: sent first, and never late. `order`: an event of an order. `staff`: written by hand. */
export type SmsPurpose = 'code' | 'order' | 'staff'

export type NewSms = {
  purpose: SmsPurpose
  orderId?: number | null
  /** The event, unique per order: `order-expired`, `payment-received-7`. */
  event: string
  /** `01XXXXXXXXX` */
  phone: string
  text: string
  sentBy?: number | null
}

/** A code is useless later: the user has requested another. */
const CODE_SECONDS = 120
const DAY_SECONDS = 86_400

/**
 * Puts a message into the outbox, in the transaction of its event. Each event of an order is queued once: null when it is queued already,
 * or has no phone. A text that is too long is cut.
 */
export async function queueSms(tx: Db, sms: NewSms): Promise<number | null> {
  if (sms.phone === '') return null
  const seconds = sms.purpose === 'code' ? CODE_SECONDS : DAY_SECONDS
  const { rows } = await sql<{ id: number }>`
    insert into sms_outbox (purpose, order_id, template, phone, body, expires_at, sent_by)
    values (${sms.purpose}, ${sms.orderId ?? null}, ${sms.event}, ${sms.phone}, ${cutSms(sms.text)},
      now() + make_interval(secs => ${seconds}), ${sms.sentBy ?? null})
    on conflict (purpose, order_id, template, phone) do nothing returning id`.execute(tx)
  return rows[0]?.id ?? null
}
