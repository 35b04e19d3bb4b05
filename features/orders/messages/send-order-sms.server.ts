import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { writtenMessage, type MessageError } from '#features/messaging/message-rules.ts'
import { listOrderTexts, orderSmsShop } from '#features/messaging/order-sms.server.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import { ok, refused, type Result } from '#lib/result.ts'

/** The same text to the same order within this time is a repeated request. */
const REPEAT_WINDOW = '2 minutes'

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
    const { rows: earlier } = await sql<{ id: number }>`select id from sms_outbox where order_id = ${orderId} and purpose = 'staff'
      and body = ${written.text} and created_at > now() - ${REPEAT_WINDOW}::interval order by id desc limit 1`.execute(tx)
    if (earlier[0]) return ok({ id: earlier[0].id })
    const { phone } = order
    const sms = { purpose: 'staff', orderId, event: `written-${randomToken(6)}`, phone, text: written.text, sentBy: actor.id } as const
    const id = (await queueSms(tx, sms)) ?? 0
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
