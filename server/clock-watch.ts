import type { JobName } from '#features/jobs/job-rules.ts'

/** Jobs that cancel or delete what is overdue, or tell customers about tomorrow or a deadline. */
export const STEADY_CLOCK_JOBS: readonly JobName[] = [
  'expire-orders',
  'delete-expired-rows',
  'delete-unused-uploads',
  'announce-deliveries',
  'remind-advances',
]
/** A smaller difference is the ordinary correction of a clock. */
const MIN_JUMP_MS = 60_000
/** As long as an order waits for its payment at least: buyers get their time although the clock says that it is over. */
export const GRACE_MS = 30 * 60_000

/**
 * Notices when the machine's clock is set, or the machine slept: then it moves by another amount than the time since the start of the
 * process. What deadlines cancel waits for half an hour afterwards.
 */
export class ClockWatch {
  readonly #warn: (seconds: number) => void
  #offset: number | null = null
  #jumpedAt = -Infinity

  constructor(warn: (seconds: number) => void) {
    this.#warn = warn
  }

  /** Whether a job may run now, by the clock and the milliseconds since the start. */
  permits(job: JobName, now: Date, elapsedMs = performance.now()): boolean {
    return this.isSteady(now, elapsedMs) || !STEADY_CLOCK_JOBS.includes(job)
  }

  /** Whether deadlines are to be trusted, by the clock and the milliseconds since the start. */
  isSteady(now: Date, elapsedMs = performance.now()): boolean {
    const offset = now.getTime() - elapsedMs
    const jumpMs = offset - (this.#offset ?? offset)
    this.#offset = offset
    if (Math.abs(jumpMs) >= MIN_JUMP_MS) {
      this.#jumpedAt = elapsedMs
      this.#warn(Math.round(jumpMs / 1000))
    }
    return elapsedMs - this.#jumpedAt >= GRACE_MS
  }
}
