import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { writtenMessage, type WrittenRefusal } from '#features/messaging/message-rules.ts'
import { listOrderTexts, orderSmsShop } from '#features/messaging/order-sms.server.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import { ok, refused, type Result } from '#lib/result.ts'

/** The same words to the same customer within this time are one press of the button too many. */
const REPEAT = '2 minutes'

/**
 * Sends a message that one of the staff wrote to the customer of an order; it stands in the order's history. The same words sent again
 * within two minutes answer the first message.
 */
export function sendOrderSms(
  db: Db,
  orderId: number,
  message: string,
  who: Actor,
  now: Date,
): Promise<Result<{ id: number }, WrittenRefusal | 'not-there'>> {
  return inTransaction(db, async (tx): Promise<Result<{ id: number }, WrittenRefusal | 'not-there'>> => {
    // The order's lock makes two presses wait for each other.
    const { rows } = await sql<{ phone: string }>`select phone from orders where id = ${orderId} for no key update`.execute(tx)
    const order = rows[0]
    if (!order) return refused('not-there')
    const written = writtenMessage(message)
    if (!written.ok) return written
    const { rows: earlier } = await sql<{ id: number }>`select id from sms_outbox where order_id = ${orderId} and purpose = 'staff'
      and body = ${written.text} and created_at > now() - ${REPEAT}::interval order by id desc limit 1`.execute(tx)
    if (earlier[0]) return ok({ id: earlier[0].id })
    const { phone } = order
    const sms = { purpose: 'staff', orderId, event: `written-${randomToken(6)}`, phone, text: written.text, sentBy: who.id } as const
    const id = (await queueSms(tx, sms)) ?? 0
    const event = { kind: 'sms-sent', detail: { sms: id, text: written.text } }
    await addOrderEvent(tx, orderId, { kind: 'staff', id: who.id }, now, event)
    await audit(tx, who, { action: 'sent', subject: 'sms', id, after: { order: orderId, phone, text: written.text } })
    return ok({ id })
  })
}

/** Texts to begin a message from, filled in for this order and in its language; null when there is none. */
export function listSmsBeginnings(db: Db, orderId: number, settings: Settings, publicUrl: string) {
  const { deliveryTomorrow, orderPlaced, paymentReceived, advanceVerified, orderCancelled } = settings.messages
  const texts = { deliveryTomorrow, orderPlaced, paymentReceived, advanceVerified, orderCancelled }
  return listOrderTexts(db, orderSmsShop(publicUrl, settings), orderId, texts)
}
