import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { ok, refused, type Result } from '#lib/result.ts'

/** `not-there`; a code, which its person asks for anew; or no longer one that failed: another has sent it again. */
export type ResendRefusal = 'not-there' | 'code' | 'not-failed'

/** Puts a message that failed, was skipped, or of which nobody knows, into the queue once more: only a person decides that. Of several presses one counts. */
export function resendSms(db: Db, id: number, who: Actor): Promise<Result<{ id: number }, ResendRefusal>> {
  return inTransaction(db, async (tx) => {
    const { rows: found } = await sql<{ state: string; failure: string | null; purpose: string }>`
      select state, failure, purpose from sms_outbox where id = ${id} for update`.execute(tx)
    const sms = found[0]
    if (!sms) return refused('not-there')
    if (sms.purpose === 'code') return refused('code')
    if (sms.state !== 'failed' && sms.state !== 'unknown' && sms.state !== 'skipped') return refused('not-failed')
    await sql`update sms_outbox set state = 'queued', attempts = 0, failure = null, provider_ref = null, sent_by = ${who.id}, updated_at = now(),
      not_before = now(), expires_at = now() + interval '1 day' where id = ${id}`.execute(tx)
    // Somebody has looked after it, so the company is tried at once.
    await sql`update sms_provider set paused_until = null where paused_until is not null`.execute(tx)
    const before = { state: sms.state, failure: sms.failure }
    await audit(tx, who, { action: 'sent', subject: 'sms', id, before, after: { state: 'queued', failure: null } })
    return ok({ id })
  })
}
