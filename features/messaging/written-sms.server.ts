import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import { queueSms } from './queue-sms.server.ts'

/** The same text to the same receiver within this time is a repeated request. */
const REPEAT_WINDOW = '2 minutes'

export interface WrittenSms {
  /** Null for a message that belongs to no order. */
  orderId: number | null
  phone: string
  text: string
  sentBy: number
}

/**
 * Queues a message that staff wrote. A repeated request returns the first message, unless that was not sent; the caller holds a lock on the
 * order or the customer, which serializes its requests.
 */
export async function queueWrittenSms(tx: Db, { orderId, phone, text, sentBy }: WrittenSms): Promise<{ id: number; isRepeat: boolean }> {
  const same = orderId === null ? sql`order_id is null` : sql`order_id = ${orderId}`
  const { rows } = await sql<{
    id: number
  }>`select id from sms_outbox where ${same} and phone = ${phone} and purpose = 'staff' and body = ${text}
    and state not in ('failed', 'skipped') and created_at > now() - ${REPEAT_WINDOW}::interval order by id desc limit 1`.execute(tx)
  if (rows[0]) return { id: rows[0].id, isRepeat: true }
  const id = await queueSms(tx, { purpose: 'staff', orderId, event: `written-${randomToken(6)}`, phone, text, sentBy })
  return { id: id ?? 0, isRepeat: false }
}
