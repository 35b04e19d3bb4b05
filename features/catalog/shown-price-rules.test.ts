import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { poisha, takaToPoisha } from '#lib/format/money.ts'
import { quantityPrice, unitPriceAfterDiscount } from './shown-price-rules.ts'

test.each([
  ['5 kg at ৳120', { price: 120, discount: null, discount_type: null }, 5000, 600],
  ['the discounted unit is rounded first', { price: 99, discount: 15, discount_type: 'percentage' as const }, 10_000, 840],
  ['half a kilogram', { price: 75, discount: null, discount_type: null }, 500, 37.5],
  ['the largest there is', { price: 100_000_000, discount: null, discount_type: null }, 10_000_000, 1e12],
])('the price of a quantity: %s', (_name, product, milli, found) => {
  expect(quantityPrice(product, milli)).toBe(takaToPoisha(found))
})

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
