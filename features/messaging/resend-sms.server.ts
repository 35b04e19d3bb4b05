import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { ok, refused, type Result } from '#lib/result.ts'

/**
 * `not-there`: no such message. `code`: its user requests a new one. `campaign`: each person gets it at most once. `not-failed`: it was resent
 * already, or is not failed. `outdated`: it says "tomorrow" or names a deadline, and that time has passed, or its order contradicts it.
 * `phone-changed`: its order has another phone now.
 */
export type ResendError = 'not-there' | 'code' | 'campaign' | 'not-failed' | 'outdated' | 'phone-changed'

interface SentSms {
  state: string
  failure: string | null
  purpose: string
  /** Whether the text is true for less than a day, until `expires_at`. */
  is_limited: boolean
  is_over: boolean
  is_moved: boolean
  is_changed: boolean
}

function resendError({ state, failure, purpose, is_limited, is_over, is_moved, is_changed }: SentSms): ResendError | null {
  if (purpose === 'code' || purpose === 'campaign') return purpose
  if (is_changed || (state !== 'failed' && state !== 'unknown' && state !== 'skipped')) return 'not-failed'
  // What its order has contradicted would be left out again.
  if ((is_limited && is_over) || (state === 'skipped' && failure === 'overtaken')) return 'outdated'
  return is_moved ? 'phone-changed' : null
}

/**
 * Queues a failed, skipped or unknown message again, as decided by the staff. Of concurrent calls one succeeds. `seenAt`: the `updated_at` of the
 * message on the page; one that was resent and ended again since then is refused. Null: not checked.
 */
export function resendSms(db: Db, id: number, actor: Actor, seenAt: Date | null = null): Promise<Result<{ id: number }, ResendError>> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<SentSms>`
      select s.state, s.failure, s.purpose, s.expires_at - s.created_at < interval '1 day' as is_limited, s.expires_at <= now() as is_over,
        coalesce(date_trunc('milliseconds', s.updated_at) <> ${seenAt}, false) as is_changed,
        exists (select 1 from orders o where o.id = s.order_id and o.phone <> s.phone) as is_moved
      from sms_outbox s where s.id = ${id} for update`.execute(tx)
    const sms = rows[0]
    if (!sms) return refused('not-there')
    const error = resendError(sms)
    if (error !== null) return refused(error)
    await sql`update sms_outbox set state = 'queued', attempts = 0, failure = null, provider_ref = null, sent_by = ${actor.id}, updated_at = now(),
      not_before = now(), expires_at = case when ${sms.is_limited} then expires_at else now() + interval '1 day' end where id = ${id}`.execute(
      tx,
    )
    // The staff have handled the problem, so the pause of the provider ends.
    await tx.updateTable('sms_provider').set({ paused_until: null }).where('paused_until', 'is not', null).execute()
    const before = { state: sms.state, failure: sms.failure }
    await audit(tx, actor, { action: 'sent', subject: 'sms', id, before, after: { state: 'queued', failure: null } })
    return ok({ id })
  })
}
