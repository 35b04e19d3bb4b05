// The scheduled jobs of the shop and when one of them is a problem. server/jobs.ts runs them.
import { HOUR_MS } from '#lib/format/time.ts'

const SECOND = 1000
const MINUTE = 60_000

/** How often each job runs in a process, in milliseconds. The names are labels of metrics and keys of texts. */
export const JOB_INTERVALS = {
  'expire-orders': 15 * SECOND,
  'change-orders': 2 * SECOND,
  'send-campaigns': 5 * SECOND,
  'query-payments': 30 * SECOND,
  'follow-refunds': 30 * SECOND,
  'remind-advances': MINUTE,
  'announce-deliveries': MINUTE,
  'announce-products': MINUTE,
  'aggregate-sales': 30 * SECOND,
  'sms-balance': 15 * MINUTE,
  'start-backup': 10 * MINUTE,
  'delete-unused-uploads': HOUR_MS,
  'send-emails': 10 * SECOND,
  'report-purchases': 30 * SECOND,
  'push-news': 10 * SECOND,
  'queue-alarms': 5 * MINUTE,
  'delete-expired-rows': HOUR_MS,
} as const

export type JobName = keyof typeof JOB_INTERVALS

export const JOB_NAMES = Object.keys(JOB_INTERVALS) as JobName[]

/** A run that succeeded is recorded at most this often: short jobs would write without an end. */
export const RECORD_EVERY_MS = MINUTE
/** A single failure, such as a deadlock, ends by itself. */
export const MAX_FAILURES = 3
/** A pause of the shop, not of a job: no job has run for so long. */
export const DOWN_MS = 10 * MINUTE

export interface JobState {
  name: JobName
  lastOkAt: Date | null
  failures: number
  watchedSince: Date
}

export type JobProblem = 'failing' | 'late'

/** Failing: the last three runs failed. Late: no run succeeded within twice the interval, and the minute by which records may lag. */
export function jobProblem({ name, lastOkAt, failures, watchedSince }: JobState, now: Date): JobProblem | null {
  if (failures >= MAX_FAILURES) return 'failing'
  const since = Math.max(lastOkAt?.getTime() ?? 0, watchedSince.getTime())
  return now.getTime() - since > 2 * JOB_INTERVALS[name] + RECORD_EVERY_MS ? 'late' : null
}
