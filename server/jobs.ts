import { sql } from 'kysely'
import { deleteOrphanedUploads } from '#features/catalog/media/delete-orphaned-uploads.server.ts'
import { queueAlarms } from '#features/email/queue-alarms.server.ts'
import { sendEmails } from '#features/email/send-emails.server.ts'
import { pollBalance } from '#features/messaging/check-balance.server.ts'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { deleteExpiredHeldSales } from '#features/pos/held-sales.server.ts'
import { remindOfAdvances } from '#features/orders/advances/remind-advances.server.ts'
import { sendDeliveryReminders } from '#features/delivery/delivery-reminders.server.ts'
import { reconcilePayments } from '#features/payments/commands/reconcile-payments.server.ts'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import { aggregateSales } from '#features/reports/aggregate-sales.server.ts'
import { scheduleBackup, stopBackup } from './backup/start-backup.ts'
import type { Deps } from './deps.ts'

/** A scheduled job; several processes may run it concurrently. */
interface Job {
  name: string
  everyMs: number
  run(deps: Deps): Promise<unknown>
}

const jobs: Job[] = [
  {
    name: 'expire orders',
    everyMs: 15_000,
    run: (deps) => expireOrders({ ...deps, catalogChanged: () => deps.catalogRevision.advance() }),
  },
  { name: 'ask about payments', everyMs: 30_000, run: (deps) => reconcilePayments(deps) },
  { name: 'follow refunds', everyMs: 30_000, run: (deps) => followRefunds(deps) },
  { name: 'remind of advances', everyMs: 60_000, run: (deps) => remindOfAdvances(deps) },
  { name: 'tell of deliveries tomorrow', everyMs: 60_000, run: (deps) => sendDeliveryReminders(deps) },
  { name: 'add up sales', everyMs: 30_000, run: ({ db, now }) => aggregateSales(db, now()) },
  { name: 'ask about the SMS balance', everyMs: 900_000, run: ({ db, sms, log }) => pollBalance(db, sms.gateway, log) },
  { name: 'back up', everyMs: 600_000, run: scheduleBackup },
  { name: 'delete unused uploads', everyMs: 3_600_000, run: ({ db, uploads, now }) => deleteOrphanedUploads(db, uploads, now()) },
  { name: 'send emails', everyMs: 10_000, run: (deps) => sendEmails(deps) },
  { name: 'queue alarms', everyMs: 300_000, run: (deps) => queueAlarms(deps) },
  { name: 'clear old tries', everyMs: 3_600_000, run: (deps) => clearOld(deps) },
]

/** Deletes expired rows: counted attempts, sessions, challenges, idempotency keys, held sales. */
export async function clearOld({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const daysAgo = (days: number) => new Date(now().getTime() - days * 86_400_000)
  await sql`delete from attempt_counts where window_start < ${daysAgo(2)}`.execute(db)
  await sql`delete from sessions where expires_at < ${daysAgo(1)}`.execute(db)
  await sql`delete from challenges where created_at < ${daysAgo(2)}`.execute(db)
  await sql`delete from idempotency_keys where sent_at < ${daysAgo(1)}`.execute(db)
  await deleteExpiredHeldSales(db, now())
}

async function measured(job: Job, deps: Deps): Promise<void> {
  const startedAt = performance.now()
  const record = (result: 'ok' | 'failed') => deps.metrics?.metrics.recordJob(job.name, result, (performance.now() - startedAt) / 1000)
  try {
    await job.run(deps)
    record('ok')
  } catch (error) {
    record('failed')
    throw error
  }
}

/** Starts the shop's own clockwork; answers a function that lets running work end and stops it. */
export function startJobs(deps: Deps): () => Promise<void> {
  const running = new Set<Promise<unknown>>()
  const timers = jobs.map((job) => {
    let busy = false
    return setInterval(() => {
      if (busy) return
      busy = true
      const work = measured(job, deps)
        .catch((error) => deps.log.warn({ err: error, job: job.name }, 'job failed, will try again'))
        .finally(() => {
          busy = false
          running.delete(work)
        })
      running.add(work)
    }, job.everyMs)
  })
  return async () => {
    timers.forEach(clearInterval)
    stopBackup()
    await Promise.allSettled(running)
  }
}
