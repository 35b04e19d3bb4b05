import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cameraTakes, type Sight } from './camera-rules.ts'
import { SCAN_LOCK } from './rules.ts'

/** What is taken of pictures: a time and the codes in it. */
function taken(pictures: [at: number, codes: string[]][]): [at: number, code: string][] {
  let sight: Sight | null = null
  return pictures.flatMap(([at, codes]) => {
    const next = cameraTakes(sight, codes, at)
    sight = next.sight
    return next.taken === null ? [] : [[at, next.taken] as [number, string]]
  })
}

test('a code that stays in sight counts once, however long', () => {
  expect(taken(Array.from({ length: 200 }, (_, n) => [n * 100, ['A']]))).toEqual([[0, 'A']])
})

test('a picture or two without it are no reason to count it again; a second without it is', () => {
  expect(
    taken([
      [0, ['A']],
      [100, []],
      [900, ['A']],
      [1950, ['A']],
    ]),
  ).toEqual([
    [0, 'A'],
    [1950, 'A'],
  ])
})

test('another code waits for the lock, and the first one counts again after it', () => {
  expect(
    taken([
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

test('never two within the lock', () => {
  const picture = fc.tuple(fc.integer({ min: 1, max: 400 }), fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 2 }))
  fc.assert(
    fc.property(fc.array(picture), (steps) => {
      let now = 0
      const times = taken(steps.map(([gap, codes]) => [(now += gap), codes])).map(([at]) => at)
      times.forEach((at, n) => n > 0 && expect(at - (times[n - 1] ?? 0)).toBeGreaterThan(SCAN_LOCK))
    }),
  )
})
