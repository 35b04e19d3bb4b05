import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acceptCode, type LastScan } from './camera-rules.ts'
import { SCAN_LOCK } from './rules.ts'

/** Feeds pictures, each a time and its codes, and returns the accepted codes. */
function accepted(pictures: [at: number, codes: string[]][]): [at: number, code: string][] {
  let last: LastScan | null = null
  return pictures.flatMap(([at, codes]) => {
    const next = acceptCode(last, codes, at)
    last = next.last
    return next.accepted === null ? [] : [[at, next.accepted] as [number, string]]
  })
}

test('a code that stays visible counts once', () => {
  expect(accepted(Array.from({ length: 200 }, (_, n) => [n * 100, ['A']]))).toEqual([[0, 'A']])
})

test('a code counts again after a second out of sight, not after one or two missed pictures', () => {
  expect(
    accepted([
      [0, ['A']],
      [100, []],
      [200, []],
      [900, ['A']],
      [1000, []],
      [1100, []],
      [1950, ['A']],
    ]),
  ).toEqual([
    [0, 'A'],
    [1950, 'A'],
  ])
})

test('on a phone that reads a picture in seconds, a code that stays counts once, also when one picture is blurred', () => {
  expect(
    accepted([
      [0, ['A']],
      [2000, ['A']],
      [4000, []],
      [6000, ['A']],
      [8000, []],
      [10_000, []],
      [12_000, ['A']],
    ]),
  ).toEqual([
    [0, 'A'],
    [12_000, 'A'],
  ])
})

test('another code waits for the lock; then the first one counts again', () => {
  expect(
    accepted([
      [0, ['A']],
      [200, ['B']],
      [700, ['B']],
      [1400, ['A']],
    ]),
  ).toEqual([
    [0, 'A'],
    [700, 'B'],
    [1400, 'A'],
  ])
})

test('never accepts two codes within the lock', () => {
  const picture = fc.tuple(fc.integer({ min: 1, max: 400 }), fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 2 }))
  fc.assert(
    fc.property(fc.array(picture), (steps) => {
      let now = 0
      const times = accepted(steps.map(([gap, codes]) => [(now += gap), codes])).map(([at]) => at)
      times.forEach((at, n) => n > 0 && expect(at - (times[n - 1] ?? 0)).toBeGreaterThan(SCAN_LOCK))
    }),
  )
})
