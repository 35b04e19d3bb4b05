import { describe, expect, it } from 'vitest'
import { expiredBackups, type Retention, type StoredBackup } from './retention-rules.ts'

/** Backups at 03:00 in Dhaka on the given days, in this order, with the index as id. */
const backups = (days: string[], verified: string[] = []): StoredBackup[] =>
  days.map((day, id) => ({ id, startedAt: new Date(`${day}T03:00:00+06:00`), isVerified: verified.includes(day) }))
const DAY_MS = 86_400_000
const daysUpTo = (last: string, count: number) =>
  Array.from({ length: count }, (_, back) => new Date(Date.parse(`${last}T00:00:00Z`) - back * DAY_MS).toISOString().slice(0, 10))

function retained(all: StoredBackup[], retention: Retention): string[] {
  const expired = new Set(expiredBackups(all, retention))
  return all
    .filter((backup) => !expired.has(backup))
    .map(({ startedAt }) => new Date(startedAt.getTime() + 6 * 3_600_000).toISOString().slice(0, 10))
    .toSorted()
}

describe('the retention of backups', () => {
  it('leaves the newest of the last days, weeks from Monday, and months', () => {
    // 2026-11-23 is a Monday.
    expect(retained(backups(daysUpTo('2026-11-23', 90)), { daily: 3, weekly: 2, monthly: 3 })).toEqual([
      '2026-09-30',
      '2026-10-31',
      '2026-11-21',
      '2026-11-22',
      '2026-11-23',
    ])
  })

  it.each<[string, string[], string[], Retention, string[]]>([
    ['nothing of nothing', [], [], { daily: 1, weekly: 0, monthly: 0 }, []],
    ['the newest, whatever the settings', ['2026-11-20', '2026-11-21'], [], { daily: 0, weekly: 0, monthly: 0 }, ['2026-11-21']],
    [
      'the newest verified one',
      ['2026-11-19', '2026-11-20', '2026-11-21'],
      ['2026-11-19'],
      { daily: 1, weekly: 0, monthly: 0 },
      ['2026-11-19', '2026-11-21'],
    ],
    [
      'days that have one, not days of the calendar',
      ['2026-01-05', '2026-06-01', '2026-11-21'],
      [],
      { daily: 2, weekly: 0, monthly: 0 },
      ['2026-06-01', '2026-11-21'],
    ],
    ['one of the weeks on both sides of a year', ['2025-12-29', '2026-01-02'], [], { daily: 0, weekly: 2, monthly: 0 }, ['2026-01-02']],
  ])('leaves %s', (_what, days, verified, retention, expected) => {
    expect(retained(backups(days, verified), retention)).toEqual(expected)
  })

  it('leaves one of two within a day, the later', () => {
    const early = { id: 1, startedAt: new Date('2026-11-23T03:00:00+06:00'), isVerified: false }
    const late = { id: 2, startedAt: new Date('2026-11-23T15:00:00+06:00'), isVerified: false }
    expect(expiredBackups([early, late], { daily: 7, weekly: 5, monthly: 12 })).toEqual([early])
  })
})
