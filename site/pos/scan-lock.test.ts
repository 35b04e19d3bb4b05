import { expect, test } from 'vitest'
import { ScanLock } from './scan-lock.ts'

/** Scans codes of 13 keys, one key each 2 ms, at these times. Returns the times of those that were taken. */
function scanAt(lock: ScanLock, times: readonly number[]): number[] {
  return times.filter((at) => {
    for (let key = 0; key < 13; key++) lock.press('7', at + key * 2)
    if (lock.press('Enter', at + 26) !== 'typed') return false
    lock.begin(at + 26)
    return true
  })
}

test('a scan each half second is taken, however many come between them', () => {
  const every25 = Array.from({ length: 200 }, (_, n) => n * 25 + n)
  const taken = scanAt(new ScanLock(), every25)
  for (const [n, at] of taken.entries()) if (n > 0) expect(at - taken[n - 1]!).toBeLessThanOrEqual(600)
  expect(taken.length).toBeGreaterThanOrEqual(9)
})

test('the lock holds for 500 ms after Enter, by the time of the key', () => {
  const lock = new ScanLock()
  lock.begin(1000)
  expect(lock.endsAt).toBe(1500)
  expect(lock.isLockedAt(1499)).toBe(true)
  expect(lock.isLockedAt(1500)).toBe(false)
  expect(lock.press('7', 1499)).toBe('dropped')
})

test('a code that began while locked is rejected whole, and the next one is taken', () => {
  const lock = new ScanLock()
  lock.begin(0)
  expect([480, 490, 500, 510, 520].map((at) => lock.press('7', at))).toEqual(Array.from({ length: 5 }, () => 'dropped'))
  expect(lock.press('Enter', 530)).toBe('rejected')
  expect(lock.press('7', 531)).toBe('typed')
  expect(lock.press('Enter', 540)).toBe('typed')
})

test('letters typed while locked do not reject what is typed after a pause', () => {
  const lock = new ScanLock()
  lock.begin(0)
  expect(lock.press('h', 400)).toBe('dropped')
  expect(lock.press('o', 551)).toBe('typed')
})
