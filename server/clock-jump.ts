import { sql } from 'kysely'
import { resetLateness } from '#features/jobs/job-state.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { GRACE_MS, STEADY_CLOCK_JOBS } from './clock-watch.ts'

/** Tables of messages that wait for their next attempt until `not_before`. */
const OUTBOXES = ['sms_outbox', 'email_outbox', 'conversion_events'] as const

/**
 * Adapts what the database holds to a clock that was set, or to a machine that slept. What waits for another attempt is tried now: after a
 * clock was set back it would wait longer by as much. Jobs are not late because of the jump; those that pause after it get
 * their grace period.
 */
export async function rescheduleAfterClockJump(db: Db): Promise<void> {
  await resetLateness(db, STEADY_CLOCK_JOBS, GRACE_MS / 1000)
  await sql`update sms_provider set paused_until = null where paused_until > now()`.execute(db)
  for (const outbox of OUTBOXES)
    await sql`update ${sql.table(outbox)} set not_before = now() where state = 'queued' and not_before > now()`.execute(db)
  // A push that is being sent holds its row for a minute by the same column.
  await sql`update push_messages set not_before = now() where not_before > now() + interval '1 minute'`.execute(db)
}
