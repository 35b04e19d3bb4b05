import { HOUR_MS, daysBefore, dhakaDate, dhakaInstant } from '#lib/format/time.ts'

/** Above this age of the newest backup a night was missed: a day, and two hours for a night that takes longer. */
export const MAX_BACKUP_HOURS = 26
const RETRY_MS = HOUR_MS

export interface PastRuns {
  /** The start of the newest complete scheduled backup. */
  lastDone: Date | null
  /** The start of the newest scheduled attempt, complete or not. */
  lastTried: Date | null
}

/** Whether the nightly backup is due: none of tonight is complete, and none was tried within the hour. `hour` is in Dhaka. */
export function isBackupDue(now: Date, hour: number, { lastDone, lastTried }: PastRuns): boolean {
  const today = dhakaInstant(dhakaDate(now), `${String(hour).padStart(2, '0')}:00`)
  const due = today <= now ? today : daysBefore(today, 1)
  if (lastDone && lastDone >= due) return false
  return !lastTried || now.getTime() - lastTried.getTime() >= RETRY_MS
}

/** Whether the shop has been without a new backup for too long. `since`: the newest backup, or else the beginning of the shop. */
export function isBackupLate(now: Date, since: Date): boolean {
  return now.getTime() - since.getTime() > MAX_BACKUP_HOURS * HOUR_MS
}
