import { type Actor, audit } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { writtenMessage, type MessageError } from '#features/messaging/message-rules.ts'
import { listOrderTexts, orderSmsShop } from '#features/messaging/order-sms.server.ts'
import { queueWrittenSms } from '#features/messaging/written-sms.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { ok, refused, type Result } from '#lib/result.ts'

/**
 * Queues an SMS that staff wrote to the customer of an order, and adds it to the timeline. The same text within two minutes returns the first
 * message.
 */
export function sendOrderSms(
  db: Db,
  orderId: number,
  message: string,
  actor: Actor,
  now: Date,
): Promise<Result<{ id: number }, MessageError | 'not-there'>> {
  return inTransaction(db, async (tx): Promise<Result<{ id: number }, MessageError | 'not-there'>> => {
    // The lock serializes repeated requests.
    const order = await tx.selectFrom('orders').select('phone').where('id', '=', orderId).forNoKeyUpdate().executeTakeFirst()
    if (!order || order.phone === '') return refused('not-there')
    const written = writtenMessage(message)
    if (!written.ok) return written
    const { phone } = order
    const { id, isRepeat } = await queueWrittenSms(tx, { orderId, phone, text: written.text, sentBy: actor.id })
    if (isRepeat) return ok({ id })
    const event = { kind: 'sms-sent', detail: { sms: id, text: written.text } }
    await addOrderEvent(tx, orderId, actor, now, event)
    await audit(tx, actor, { action: 'sent', subject: 'sms', id, after: { order: orderId, phone, text: written.text } })
    return ok({ id })
  })
}

/** Message templates filled in for this order, in its language; null when the order does not exist. */
export function listSmsTemplates(db: Db, orderId: number, settings: Settings, publicUrl: string) {
  const { deliveryTomorrow, orderPlaced, paymentReceived, advanceVerified, orderCancelled } = settings.messages
  const texts = { deliveryTomorrow, orderPlaced, paymentReceived, advanceVerified, orderCancelled }
  return listOrderTexts(db, orderSmsShop(publicUrl, settings), orderId, texts)
}
