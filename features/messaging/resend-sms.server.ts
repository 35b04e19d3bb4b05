import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { ok, refused, type Result } from '#lib/result.ts'

/** `not-there`: no such message. `code`: its user requests a new one. `campaign`: each person gets it at most once. `not-failed`: it was resent already, or is not failed. */
export type ResendError = 'not-there' | 'code' | 'campaign' | 'not-failed'

/** Queues a failed, skipped or unknown message again, as decided by the staff. Of concurrent calls one succeeds. */
export function resendSms(db: Db, id: number, who: Actor): Promise<Result<{ id: number }, ResendError>> {
  return inTransaction(db, async (tx) => {
    const found = tx.selectFrom('sms_outbox').select(['state', 'failure', 'purpose']).where('id', '=', id)
    const sms = await found.forUpdate().executeTakeFirst()
    if (!sms) return refused('not-there')
    if (sms.purpose === 'code' || sms.purpose === 'campaign') return refused(sms.purpose)
    if (sms.state !== 'failed' && sms.state !== 'unknown' && sms.state !== 'skipped') return refused('not-failed')
    await sql`update sms_outbox set state = 'queued', attempts = 0, failure = null, provider_ref = null, sent_by = ${who.id}, updated_at = now(),
      not_before = now(), expires_at = now() + interval '1 day' where id = ${id}`.execute(tx)
    // The staff have handled the problem, so the pause of the provider ends.
    await tx.updateTable('sms_provider').set({ paused_until: null }).where('paused_until', 'is not', null).execute()
    const before = { state: sms.state, failure: sms.failure }
    await audit(tx, who, { action: 'sent', subject: 'sms', id, before, after: { state: 'queued', failure: null } })
    return ok({ id })
  })
}
