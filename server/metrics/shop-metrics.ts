import { type RawBuilder, sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { ORDER_SOURCES } from '#features/orders/types.ts'
import { IS_OPEN_ATTEMPT } from '#features/payments/queries.server.ts'
import { ATTEMPT_STATES } from '#features/payments/payment-status.ts'
import { JOB_NAMES } from '#features/jobs/job-rules.ts'
import type { Db } from '#lib/db/db.server.ts'

/** A scrape starts a new read when the numbers are older. */
const MAX_AGE_MS = 10_000

interface ShopNumbers {
  is_open: boolean
  orders: { source: string; count: number }[]
  payments: { state: string; count: number }[]
  waiting: { open: number; review: number }
  sms: { queued: number; oldest_seconds: number }
  email: { queued: number; oldest_seconds: number; failed: number }
  /** Null without a backup. */
  backup: { age_seconds: number; bytes: number } | null
  /** Whether the newest attempt succeeded; null: none has ended. */
  backup_ok: boolean | null
  jobs: { name: string; failures: number; age_seconds: number }[]
}

/**
 * Orders, payments and SMS, the same in every process of the shop. A scrape gets the numbers of the last read and starts a new one in the
 * background, so that it waits for the database only once. While the database is away they are missing.
 */
export function addShopMetrics(registry: Registry, db: Db, clock = () => performance.now()): { prepare(): Promise<void> } {
  const gauges = createGauges(registry)
  let readAt = -Infinity
  let reading: Promise<void> | null = null
  const read = async (): Promise<void> => {
    const numbers = await readShopNumbers(db).catch(() => null)
    showNumbers(gauges, numbers)
    readAt = clock()
    reading = null
  }
  return {
    async prepare() {
      if (clock() - readAt > MAX_AGE_MS) reading ??= read()
      if (readAt === -Infinity) await reading
    },
  }
}

function createGauges(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  return {
    up: gauge('khamar_database_up', '1 when the last read of the shop metrics succeeded'),
    open: gauge('khamar_open', '1 when visitors can enter, 0 while the shop is closed to them'),
    orders: gauge('khamar_orders_last_hour', 'Orders placed within the last hour, by channel', 'channel'),
    payments: gauge('khamar_payments_last_hour', 'Online payments begun within the last hour, by state', 'state'),
    paymentsOpen: gauge('khamar_payments_open', 'Online payments without a result'),
    review: gauge('khamar_payments_in_review', 'Online payments that wait for a decision of staff'),
    queued: gauge('khamar_sms_queued', 'SMS that wait in the outbox'),
    emailQueued: gauge('khamar_email_queued', 'Emails that wait in the outbox'),
    emailOldest: gauge('khamar_email_oldest_seconds', 'Time that the oldest email in the outbox has waited'),
    emailFailed: gauge('khamar_email_failed_last_day', 'Emails of the last day that were not sent'),
    backupAge: gauge('khamar_backup_age_seconds', 'Age of the data in the newest backup'),
    backupBytes: gauge('khamar_backup_bytes', 'Size of the newest backup'),
    backupOk: gauge('khamar_backup_last_ok', '1 when the newest attempt of a backup succeeded, else 0'),
    jobFailures: gauge(
      'khamar_job_failures',
      'Failed runs of a scheduled job since the last that succeeded, in all processes',
      'scheduled_job',
    ),
    jobAge: gauge('khamar_job_ok_age_seconds', 'Time since a run of a scheduled job succeeded, in any process', 'scheduled_job'),
    oldest: gauge('khamar_sms_oldest_seconds', 'Time that the oldest SMS in the outbox that is no campaign has waited'),
  }
}

/** Their series are removed one by one, or all by `reset`; that of a gauge without a label by `remove`. */
const WITH_LABEL = ['orders', 'payments', 'jobFailures', 'jobAge'] as const
const WITHOUT_LABEL = [
  ...(['open', 'paymentsOpen', 'review', 'queued', 'oldest', 'emailQueued', 'emailOldest', 'emailFailed'] as const),
  ...(['backupAge', 'backupBytes', 'backupOk'] as const),
]

function showNumbers(gauges: ReturnType<typeof createGauges>, numbers: ShopNumbers | null): void {
  for (const gauge of WITH_LABEL) gauges[gauge].reset()
  gauges.up.set(numbers ? 1 : 0)
  if (!numbers) {
    for (const gauge of WITHOUT_LABEL) gauges[gauge].remove()
    return
  }
  gauges.open.set(Number(numbers.is_open))
  for (const channel of ORDER_SOURCES) gauges.orders.set({ channel }, 0)
  for (const { source, count } of numbers.orders) gauges.orders.set({ channel: source }, count)
  for (const state of ATTEMPT_STATES) gauges.payments.set({ state }, 0)
  for (const { state, count } of numbers.payments) gauges.payments.set({ state }, count)
  gauges.paymentsOpen.set(numbers.waiting.open)
  gauges.review.set(numbers.waiting.review)
  gauges.queued.set(numbers.sms.queued)
  gauges.oldest.set(numbers.sms.oldest_seconds)
  gauges.emailQueued.set(numbers.email.queued)
  gauges.emailOldest.set(numbers.email.oldest_seconds)
  gauges.emailFailed.set(numbers.email.failed)
  setOrRemove(gauges.backupAge, numbers.backup?.age_seconds)
  setOrRemove(gauges.backupBytes, numbers.backup?.bytes)
  setOrRemove(gauges.backupOk, numbers.backup_ok === null ? undefined : Number(numbers.backup_ok))
  for (const { name: scheduled_job, failures, age_seconds } of numbers.jobs) {
    gauges.jobFailures.set({ scheduled_job }, failures)
    gauges.jobAge.set({ scheduled_job }, age_seconds)
  }
}

/** A number that is not known is missing, rather than zero. */
function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove()
  else gauge.set(value)
}

/** A message that was tried has waited since it was queued, however late its next attempt is. One that staff send again has no failure. */
const WAITING_SINCE = sql`min(case when failure is null then not_before else created_at end)`
const ageOf = (since: RawBuilder<unknown>) => sql`greatest(0, coalesce(extract(epoch from now() - ${since}), 0))`

/**
 * One statement; each part reads the end of an index. SMS of campaigns wait for the end of quiet hours and for the next day, and those of a
 * shop without a provider for nothing: their age is no problem.
 */
async function readShopNumbers(db: Db): Promise<ShopNumbers> {
  const { rows } = await sql<ShopNumbers>`
    select
      coalesce((select (value ->> 'isOpen')::boolean from settings where key = 'opening'), true) as is_open,
      (select coalesce(json_agg(o), '[]') from (
        select s.source, (select count(*) from orders where orders.source = s.source and placed_at >= now() - interval '1 hour') as count
        from unnest(${sql.val([...ORDER_SOURCES])}::text[]) as s(source)) o) as orders,
      (select coalesce(json_agg(p), '[]') from (
        select state, count(*) as count from payment_attempts where created_at >= now() - interval '1 hour' group by state) p) as payments,
      json_build_object(
        'open', (select count(*) from payment_attempts where ${IS_OPEN_ATTEMPT}),
        'review', (select count(*) from payment_attempts where state = 'review')) as waiting,
      (select json_build_object('queued', count(*), 'oldest_seconds', ${ageOf(sql`${WAITING_SINCE} filter (where purpose <> 'campaign'
          and not exists (select 1 from sms_provider where problem = 'not-configured'))`)})
       from sms_outbox where state = 'queued') as sms,
      (select json_build_object('queued', count(*), 'oldest_seconds', ${ageOf(WAITING_SINCE)},
        'failed', (select count(*) from email_outbox where state = 'failed' and created_at > now() - interval '1 day'))
       from email_outbox where state = 'queued' and expires_at > now()) as email,
      (select json_build_object('age_seconds', extract(epoch from now() - started_at), 'bytes', size_bytes)
       from backup_runs where state = 'done' and deleted_at is null and started_at <= now() order by finished_at desc limit 1) as backup,
      (select state = 'done' from backup_runs where state <> 'running' order by id desc limit 1) as backup_ok,
      (select coalesce(json_agg(json_build_object('name', name, 'failures', failures,
        'age_seconds', greatest(0, extract(epoch from now() - greatest(last_ok_at, watched_since))))), '[]')
       from scheduled_jobs where name = any(${JOB_NAMES}::text[])) as jobs`.execute(db)
  return rows[0]!
}
