import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { poisha, takaToPoisha } from '#lib/format/money.ts'
import { unitPriceAfterDiscount } from './shown-price-rules.ts'

describe('the price of a unit after its discount', () => {
  const percent = (percentage: number) => ({ kind: 'percentage' as const, value: Math.round(percentage * 100) })
  const fixed = (amount: number) => ({ kind: 'fixed' as const, value: takaToPoisha(amount) })
  test.each([
    ['no discount leaves the poisha', 150.5, null, 150.5],
    ['a zero discount is no discount', 150.5, percent(0), 150.5],
    ['ten percent', 78_000, percent(10), 70_200],
    ['half a taka goes up', 101, percent(50), 51],
    ['33.33 % of 999.99', 999.99, percent(33.33), 667],
    ['a third of a percent is kept', 1000, percent(0.05), 1000],
    ['all of it', 999, percent(100), 0],
    ['never higher by rounding', 150.9, percent(0.01), 150.9],
    ['fixed', 520, fixed(20), 500],
    ['fixed, rounded', 150.5, fixed(10), 141],
    ['fixed above the price', 100, fixed(500), 0],
  ])('%s', (_name, price, discount, found) => {
    expect(unitPriceAfterDiscount(takaToPoisha(price), discount)).toBe(takaToPoisha(found))
  })

  test('is whole taka between zero and the price', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e10 }),
        fc.constantFrom('percentage' as const, 'fixed' as const),
        fc.integer({ min: 1, max: 20_000 }),
        (price, kind, value) => {
          const unit = unitPriceAfterDiscount(poisha(price), { kind, value })
          expect(unit).toBeGreaterThanOrEqual(0)
          expect(unit).toBeLessThanOrEqual(price)
          expect(unit === price || unit % 100 === 0).toBe(true)
        },
      ),
    )
  })
})
