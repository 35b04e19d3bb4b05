import { sql } from 'kysely'
import { deleteOldReports, reportPurchases } from '#features/analytics/purchase-reports.server.ts'
import { deleteOldBulkRuns, runBulkOrders } from '#features/bulk-orders/run-bulk-orders.server.ts'
import { runCampaigns } from '#features/campaigns/run-campaigns.server.ts'
import { deleteOrphanedUploads } from '#features/catalog/media/delete-orphaned-uploads.server.ts'
import { queueAlarms } from '#features/email/queue-alarms.server.ts'
import { deleteOldEmails } from '#features/email/outbox.server.ts'
import { sendEmails } from '#features/email/send-emails.server.ts'
import { JOB_INTERVALS, JOB_NAMES, type JobName } from '#features/jobs/job-rules.ts'
import { JobRecorder, watchJobs } from '#features/jobs/job-state.server.ts'
import { pushNews } from '#features/news/push/send-pushes.server.ts'
import { pollBalance } from '#features/messaging/check-balance.server.ts'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { deleteExpiredHeldSales } from '#features/pos/held-sales.server.ts'
import { deleteExpiredDrafts } from '#features/orders/drafts/drafts.server.ts'
import { remindOfAdvances } from '#features/orders/advances/remind-advances.server.ts'
import { sendDeliveryReminders } from '#features/delivery/delivery-reminders.server.ts'
import { announceMovedDeliveries } from '#features/delivery/moved-deliveries.server.ts'
import { announceProducts } from '#features/product-waits/announce-products.server.ts'
import { reconcilePayments } from '#features/payments/commands/reconcile-payments.server.ts'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import { aggregateSales } from '#features/reports/aggregate-sales.server.ts'
import { daysBefore } from '#lib/format/time.ts'
import { deleteInBatches } from '#lib/db/delete-in-batches.server.ts'
import { runEach } from '#lib/db/run-each.server.ts'
import { ClockWatch } from './clock-watch.ts'
import { rescheduleAfterClockJump } from './clock-jump.ts'
import { scheduleBackup, stopBackup } from './backup/start-backup.ts'
import type { Deps } from './deps.ts'
import { spreadInterval } from './spread-interval.ts'
import { retryWhileAway } from './wait-for-database.ts'

/** A job that queues SMS. It waits while the shop sends none: they would be dropped, and what they announce would count as told. */
const withSms =
  (run: (deps: Deps) => Promise<unknown>) =>
  async (deps: Deps): Promise<unknown> =>
    deps.sms.canSend ? run(deps) : null

/** Scheduled jobs; several processes may run one concurrently. */
export const JOBS: Record<JobName, (deps: Deps) => Promise<unknown>> = {
  'expire-orders': (deps) => expireOrders({ ...deps, catalogChanged: () => deps.catalogRevision.advance() }),
  'send-campaigns': withSms(runCampaigns),
  'change-orders': (deps) => runBulkOrders({ ...deps, catalogChanged: () => deps.catalogRevision.advance() }),
  'query-payments': (deps) => reconcilePayments(deps),
  'follow-refunds': followRefunds,
  'remind-advances': withSms(remindOfAdvances),
  'announce-deliveries': withSms(async (deps) => (await sendDeliveryReminders(deps)) + (await announceMovedDeliveries(deps))),
  'announce-products': withSms(announceProducts),
  'aggregate-sales': ({ db, now }) => aggregateSales(db, now()),
  'sms-balance': ({ db, sms, log }) => pollBalance(db, sms.gateway, log),
  'start-backup': scheduleBackup,
  'delete-unused-uploads': ({ db, uploads, now }) => deleteOrphanedUploads(db, uploads, now()),
  'send-emails': sendEmails,
  'report-purchases': reportPurchases,
  'push-news': pushNews,
  'queue-alarms': queueAlarms,
  'delete-expired-rows': deleteExpiredRows,
}

/**
 * Deletes expired rows: counted attempts, sessions, challenges, idempotency keys, held sales, order drafts, purchase reports, emails, bulk
 * changes. A table whose rows cannot be deleted blocks no other.
 */
export async function deleteExpiredRows({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const daysAgo = (days: number) => daysBefore(now(), days)
  const steps: (() => Promise<unknown>)[] = [
    () =>
      deleteInBatches((limit) =>
        sql`delete from attempt_counts where ctid = any(array(select ctid from attempt_counts where window_start < ${daysAgo(2)} limit ${limit}))`.execute(
          db,
        ),
      ),
    () =>
      deleteInBatches((limit) =>
        sql`delete from sessions where ctid = any(array(select ctid from sessions where expires_at < ${daysAgo(1)} limit ${limit}))`.execute(
          db,
        ),
      ),
    () =>
      deleteInBatches((limit) =>
        sql`delete from challenges where ctid = any(array(select ctid from challenges where created_at < ${daysAgo(2)} limit ${limit}))`.execute(
          db,
        ),
      ),
    () =>
      deleteInBatches((limit) =>
        sql`delete from idempotency_keys where ctid = any(array(select ctid from idempotency_keys where sent_at < ${daysAgo(1)} limit ${limit}))`.execute(
          db,
        ),
      ),
    () => deleteExpiredHeldSales(db, now()),
    () => deleteExpiredDrafts(db, now()),
    () => deleteOldReports(db),
    () => deleteOldEmails(db),
    () => deleteOldBulkRuns(db, now()),
  ]
  await runEach(steps, (step) => step())
}

async function measured(name: JobName, deps: Deps, recorder: JobRecorder): Promise<void> {
  const startedAt = performance.now()
  const record = async (ok: boolean) => {
    deps.metrics?.metrics.recordJob(name, ok ? 'ok' : 'failed', (performance.now() - startedAt) / 1000)
    await recorder.record(name, ok)
  }
  try {
    await JOBS[name](deps)
  } catch (error) {
    // A database that is away records nothing; the first error is the one to report.
    await record(false).catch(() => {})
    throw error
  }
  await record(true)
}

/** Starts the scheduled jobs. Returns a function that stops them and waits for those that run. */
export async function startJobs(deps: Deps): Promise<() => Promise<void>> {
  // The shop serves requests already: a database that is away for a moment must not end the process.
  await retryWhileAway(() => watchJobs(deps.db))
  const running = new Set<Promise<unknown>>()
  const recorder = new JobRecorder(deps.db)
  let rescheduled = Promise.resolve()
  const clock = new ClockWatch((seconds) => {
    deps.log.warn({ seconds }, 'the clock jumped: nothing is cancelled or deleted for half an hour')
    rescheduled = retryWhileAway(() => rescheduleAfterClockJump(deps)).catch((error) =>
      deps.log.warn({ err: error }, 'what waits could not be set to the new time'),
    )
  })
  const stops = JOB_NAMES.map((name) => {
    let busy = false
    return spreadInterval(() => {
      if (busy || !clock.permits(name, deps.now())) return
      busy = true
      const work = rescheduled
        .then(() => measured(name, deps, recorder))
        .catch((error) => deps.log.warn({ err: error, job: name }, 'job failed, will try again'))
        .finally(() => {
          busy = false
          running.delete(work)
        })
      running.add(work)
    }, JOB_INTERVALS[name])
  })
  return async () => {
    for (const stop of stops) stop()
    stopBackup()
    await Promise.allSettled(running)
  }
}
