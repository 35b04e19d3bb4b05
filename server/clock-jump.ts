import { sql } from 'kysely'
import { MOVED_EVENTS } from '#features/delivery/delivery-reminders.server.ts'
import { resetLateness } from '#features/jobs/job-state.server.ts'
import { deferQueuedSms } from '#features/messaging/queue-sms.server.ts'
import { FREE_PRODUCT_EVENTS } from '#features/product-waits/announce-products.server.ts'
import { isQuiet, quietEnd } from '#features/settings/sms/quiet-rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Deps } from './deps.ts'
import { GRACE_MS, STEADY_CLOCK_JOBS } from './clock-watch.ts'

/** Tables of messages that wait for their next attempt until `not_before`. */
const OUTBOXES = ['sms_outbox', 'email_outbox', 'conversion_events'] as const

/**
 * Adapts what the database holds to a clock that was set, or to a machine that slept. What waits for another attempt is tried now: after a
 * clock was set back it would wait longer by as much. SMS that wait for the end of quiet hours wait for it by the new time. Jobs are not late
 * because of the jump; those that pause after it get their grace period.
 */
export async function rescheduleAfterClockJump({ db, now, shopCache }: Pick<Deps, 'db' | 'now' | 'shopCache'>): Promise<void> {
  await resetLateness(db, STEADY_CLOCK_JOBS, GRACE_MS / 1000)
  const { quiet_hours } = await shopCache.settings()
  await inTransaction(db, async (tx) => {
    await sql`update sms_provider set paused_until = null where paused_until > now()`.execute(tx)
    for (const outbox of OUTBOXES) await tryNow(tx, outbox)
    if (isQuiet(now(), quiet_hours))
      for (const events of [MOVED_EVENTS, FREE_PRODUCT_EVENTS]) await deferQueuedSms(tx, events, quietEnd(now(), quiet_hours))
    // A push that is being sent holds its row for a minute by the same column.
    await sql`update push_messages set not_before = now() where not_before > now() + interval '1 minute'`.execute(tx)
  })
}

function tryNow(tx: Db, outbox: (typeof OUTBOXES)[number]): Promise<unknown> {
  return sql`update ${sql.table(outbox)} set not_before = now() where state = 'queued' and not_before > now()`.execute(tx)
}
