import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { spreadInterval } from './spread-interval.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const INTERVAL_MS = 30_000

it('jobs that start together run at different moments, each in its interval', () => {
  const startedAt = Date.now()
  const runs: number[][] = Array.from({ length: 10 }, () => [])
  const stops = runs.map((times) => spreadInterval(() => times.push(Date.now() - startedAt), INTERVAL_MS))
  vi.advanceTimersByTime(4 * INTERVAL_MS)
  for (const stop of stops) stop()
  const firsts = runs.map(([first = 0]) => first)
  expect(new Set(firsts).size).toBeGreaterThan(5)
  for (const [first = 0, second = 0, third = 0] of runs) {
    expect([first >= INTERVAL_MS / 2, first <= INTERVAL_MS]).toEqual([true, true])
    expect([second - first, third - second]).toEqual([INTERVAL_MS, INTERVAL_MS])
  }
})

it('one that is stopped runs no more, be it before or after its first run', () => {
  const run = vi.fn<() => void>()
  spreadInterval(run, INTERVAL_MS)()
  vi.advanceTimersByTime(2 * INTERVAL_MS)
  expect(run).not.toHaveBeenCalled()
  const stop = spreadInterval(run, INTERVAL_MS)
  vi.advanceTimersByTime(INTERVAL_MS)
  stop()
  vi.advanceTimersByTime(2 * INTERVAL_MS)
  expect(run).toHaveBeenCalledTimes(1)
})
