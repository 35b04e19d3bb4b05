import { setTimeout as sleep } from 'node:timers/promises'

const MAX_PAUSE_MS = 500
/** For a millisecond of work two of rest. */
const REST = 2

/** Waits twice as long as the work since `startedAt` took, so that PostgreSQL works for a backup a third of the time only and orders go on. */
export function pauseSince(startedAt: number): Promise<void> {
  return sleep(Math.min(MAX_PAUSE_MS, REST * (performance.now() - startedAt)))
}
