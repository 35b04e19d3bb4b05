import { type Actor, audit } from '#features/audit/audit.server.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { randomToken } from '#lib/ids/ids.server.ts'

/** Queues an SMS to the phone of the staff member who tries the provider. Null when the account has no phone. */
export function sendTestSms(db: Db, actor: Actor, text: string): Promise<{ phone: string } | null> {
  return inTransaction(db, async (tx) => {
    const user = await tx.selectFrom('users').select('phone').where('id', '=', actor.id).executeTakeFirst()
    if (!user?.phone) return null
    const id = await queueSms(tx, { purpose: 'staff', event: `test-${randomToken(8)}`, phone: user.phone, text, sentBy: actor.id })
    await audit(tx, actor, { action: 'sent', subject: 'sms', id: String(id), after: { phone: user.phone } })
    return { phone: user.phone }
  })
}
