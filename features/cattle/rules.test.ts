import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { liveWeightPrice, weightPrice } from '#features/catalog/products/live-weight-rules.ts'
import { isUnexpected, settlementDifference } from './rules.ts'

const KURBANI = [
  { fromGrams: 301_000, poishaPerKg: 53_000 },
  { fromGrams: 200_000, poishaPerKg: 55_000 },
  { fromGrams: 251_000, poishaPerKg: 54_000 },
  { fromGrams: 351_000, poishaPerKg: 52_500 },
]

describe('the price by live weight', () => {
  it.each([
    [199_999, null],
    [200_000, 110_000_00],
    [250_900, 137_995_00],
    [251_000, 135_540_00],
    [300_999, 162_539_00],
    [301_000, 159_530_00],
    [351_000, 184_275_00],
    [200_001, 110_001_00],
  ])('%i g', (grams, price) => expect(liveWeightPrice(grams, KURBANI)).toBe(price))
})

describe('the settlement', () => {
  it.each([
    [250_000, 250_000, 55_000, 0],
    [250_000, 260_500, 55_000, 577_500],
    [250_000, 244_000, 54_000, -324_000],
    [250_000, 250_001, 55_000, 100],
    [250_001, 250_000, 55_000, -100],
  ])('from %i g to %i g at %i', (before, after, rate, difference) => expect(settlementDifference(before, after, rate)).toBe(difference))

  it('is reversed exactly by the opposite change', () => {
    const weight = fc.integer({ min: 1, max: 2_000_000 })
    fc.assert(
      fc.property(weight, weight, fc.integer({ min: 1, max: 500_000 }), (a, b, rate) => {
        expect(settlementDifference(a, b, rate) + settlementDifference(b, a, rate)).toBe(0)
        expect(Math.abs(settlementDifference(a, b, rate) % 100)).toBe(0)
        expect(Math.abs(settlementDifference(a, b, rate) - ((b - a) * rate) / 1000)).toBeLessThanOrEqual(50)
      }),
    )
  })

  it('is a price of whole taka', () => expect(weightPrice(1, 1)).toBe(0))
})

describe('an unexpected weight', () => {
  const last = { on: '2026-05-01', grams: 250_000 }
  it.each([
    [{ on: '2026-05-11', grams: 270_000 }, false],
    [{ on: '2026-05-11', grams: 270_001 }, true],
    [{ on: '2026-05-01', grams: 252_000 }, false],
    [{ on: '2026-05-01', grams: 252_100 }, true],
    [{ on: '2026-05-11', grams: 25_000 }, true],
    [{ on: '2026-04-21', grams: 235_000 }, false],
  ])('%o after 250 kg, at 2 kg a day', (next, expected) => expect(isUnexpected(next, last, 2)).toBe(expected))
})
