import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type MessageError, writtenMessage } from '#features/messaging/message-rules.ts'
import { queueWrittenSms } from '#features/messaging/written-sms.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { ok, refused, type Result } from '#lib/result.ts'
import { lockCustomer } from './account-state.server.ts'

type Sent = Result<{ id: number; phone: string }, MessageError | 'not-there'>

/**
 * Queues an SMS that staff wrote to a customer, to the customer's own phone. The same text within two minutes returns the first message. A
 * customer who wants no campaigns gets it: it is about a matter of their own.
 */
export function sendCustomerSms(db: Db, customerId: number, message: string, actor: Actor): Promise<Sent> {
  return inTransaction(db, async (tx): Promise<Sent> => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer) return refused('not-there')
    const written = writtenMessage(message)
    if (!written.ok) return written
    const { phone } = customer
    const { id, isRepeat } = await queueWrittenSms(tx, { orderId: null, phone, text: written.text, sentBy: actor.id })
    if (!isRepeat)
      await audit(tx, actor, { action: 'sent', subject: 'sms', id, after: { customer: customerId, phone, text: written.text } })
    return ok({ id, phone })
  })
}
