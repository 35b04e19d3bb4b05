import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import { ok, refused, type Result } from '#lib/result.ts'

/** `not-there`; a code, which its person asks for anew; or no longer one that failed: another has sent it again. */
export type ResendRefusal = 'not-there' | 'code' | 'not-failed'

/** Puts a message that failed, or of which nobody knows, into the queue once more: only a person decides that. One of several presses counts. */
export async function resendSms(db: Db, id: number, staffId: number): Promise<Result<{ id: number }, ResendRefusal>> {
  const { rows } = await sql<{ id: number }>`
    update sms_outbox set state = 'queued', attempts = 0, failure = null, provider_ref = null, sent_by = ${staffId}, updated_at = now(),
      not_before = now(), expires_at = now() + interval '1 day'
    where id = ${id} and state in ('failed', 'unknown') and purpose <> 'code' returning id`.execute(db)
  if (rows[0]) {
    // Somebody has looked after it, so the provider is tried at once.
    await sql`update sms_provider set paused_until = null where paused_until is not null`.execute(db)
    return ok({ id })
  }
  const found = await sql<{ purpose: string }>`select purpose from sms_outbox where id = ${id}`.execute(db)
  if (!found.rows[0]) return refused('not-there')
  return refused(found.rows[0].purpose === 'code' ? 'code' : 'not-failed')
}
