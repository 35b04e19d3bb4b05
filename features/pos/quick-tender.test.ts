import fc from 'fast-check'
import { expect, test } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { quickTender } from './quick-tender.ts'

test.each([
  [0, []],
  [-500, []],
  [8220, [100, 500, 1000]],
  [15_000, [200, 500, 1000]],
  [23_700, [250, 300, 500, 1000]],
  [50_000, [1000]],
  [100_000, []],
  [132_000, [1350, 1400, 1500, 2000]],
  [7_850_000, [79_000]],
])('for %j poisha: %j taka', (due, amounts) => {
  expect(quickTender(poisha(due)).map((amount) => amount / 100)).toEqual(amounts)
})

test('every amount pays the sum, in notes, lowest first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (due) => {
      const amounts = quickTender(poisha(due))
      expect(amounts.every((amount) => amount > due && amount % 5000 === 0)).toBe(true)
      expect(amounts).toEqual([...new Set(amounts)].sort((a, b) => a - b))
    }),
  )
})
