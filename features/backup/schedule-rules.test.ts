import { describe, expect, it } from 'vitest'
import { isBackupDue, isBackupLate } from './schedule-rules.ts'

/** A moment in Dhaka. */
const at = (text: string) => new Date(`${text.replace(' ', 'T')}:00+06:00`)

describe('the nightly backup', () => {
  it.each<[string, string, { done?: string; tried?: string; hour?: number }, boolean]>([
    ['before its hour, made last night', '2026-11-23 02:59', { done: '2026-11-22 03:00' }, false],
    ['at its hour', '2026-11-23 03:00', { done: '2026-11-22 03:00', tried: '2026-11-22 03:00' }, true],
    ['after it was made', '2026-11-23 03:40', { done: '2026-11-23 03:05', tried: '2026-11-23 03:05' }, false],
    ['of a new shop, at any hour', '2026-11-23 16:00', {}, true],
    ['half an hour after a try that failed', '2026-11-23 03:35', { done: '2026-11-22 03:00', tried: '2026-11-23 03:05' }, false],
    ['an hour after a try that failed', '2026-11-23 04:05', { done: '2026-11-22 03:00', tried: '2026-11-23 03:05' }, true],
    ['when the shop was off at its hour', '2026-11-23 11:00', { done: '2026-11-22 03:00', tried: '2026-11-22 03:00' }, true],
    ['at midnight in Dhaka, which is yesterday in London', '2026-11-23 00:00', { done: '2026-11-22 00:01', hour: 0 }, true],
    ['before 23:00, made last night at 23:00', '2026-11-23 22:59', { done: '2026-11-22 23:00', hour: 23 }, false],
  ])('%s', (_what, now, { done, tried, hour = 3 }, expected) => {
    expect(isBackupDue(at(now), hour, { lastDone: done ? at(done) : null, lastTried: tried ? at(tried) : null })).toBe(expected)
  })

  it('is late after 26 hours', () => {
    const since = at('2026-11-22 03:00')
    expect(isBackupLate(at('2026-11-23 05:00'), since)).toBe(false)
    expect(isBackupLate(at('2026-11-23 05:01'), since)).toBe(true)
  })
})
