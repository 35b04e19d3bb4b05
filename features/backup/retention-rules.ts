import { addDays, dhakaDate } from '#lib/format/time.ts'

export interface Retention {
  /** Numbers of days, weeks and months of which the newest backup is retained. */
  daily: number
  weekly: number
  monthly: number
}

export interface StoredBackup {
  id: number
  startedAt: Date
  isVerified: boolean
}

/**
 * The backups that may be deleted: those that are not the newest of one of the last days, weeks (from Monday) or months that have one, in
 * Dhaka. The newest backup and the newest verified one always stay.
 */
export function expiredBackups(backups: readonly StoredBackup[], { daily, weekly, monthly }: Retention): StoredBackup[] {
  const newestFirst = backups.toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime() || b.id - a.id)
  const retained = new Set<StoredBackup | undefined>([newestFirst[0], newestFirst.find(({ isVerified }) => isVerified)])
  for (const [periodOf, count] of [
    [dhakaDate, daily],
    [weekOf, weekly],
    [monthOf, monthly],
  ] as const) {
    for (const backup of newestOfPeriods(newestFirst, periodOf).slice(0, count)) retained.add(backup)
  }
  return newestFirst.filter((backup) => !retained.has(backup))
}

function newestOfPeriods(newestFirst: readonly StoredBackup[], periodOf: (at: Date) => string): StoredBackup[] {
  const newest = new Map<string, StoredBackup>()
  for (const backup of newestFirst) {
    const period = periodOf(backup.startedAt)
    if (!newest.has(period)) newest.set(period, backup)
  }
  return [...newest.values()]
}

const monthOf = (at: Date): string => dhakaDate(at).slice(0, 7)

/** The Monday of the week. */
function weekOf(at: Date): string {
  const day = dhakaDate(at)
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
}
