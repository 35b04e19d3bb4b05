import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_PRICE_TAKA } from '#features/catalog/limits.ts'
import { weightBands } from '#features/catalog/weight-band-rules.ts'
import { askedBy, movedHandle, type PriceRange, rangeOf, sliderEnds } from './price-range-rules.ts'

const ANY = { minPrice: 0, maxPrice: MAX_PRICE_TAKA }
const ends: PriceRange = { from: 90_000, to: 260_000 }

test.each([
  ['full ten thousands around the cows', { from: 93_450, to: 251_100 }, ANY, ends],
  ['wide enough for a chip', { from: 150_000, to: 160_000 }, { minPrice: 110_000, maxPrice: 137_500 }, { from: 110_000, to: 160_000 }],
  [
    'wide enough for the last chip',
    { from: 90_000, to: 160_000 },
    { minPrice: 184_275, maxPrice: MAX_PRICE_TAKA },
    { from: 90_000, to: 190_000 },
  ],
  ['never narrower than the handles need', { from: 100_000, to: 100_000 }, ANY, { from: 100_000, to: 120_000 }],
  ['a shop without cows', { from: 0, to: 0 }, ANY, { from: 0, to: 20_000 }],
])('ends: %s', (_name, prices, range, expected) => {
  expect(sliderEnds(prices, range)).toEqual(expected)
})

test.each([
  ['a step is 10', 'from', 120_004, { from: 120_000, to: 200_000 }],
  ['stops 10,000 below the other', 'from', 199_000, { from: 190_000, to: 200_000 }],
  ['stops 10,000 above the other', 'to', 1, { from: 100_000, to: 110_000 }],
  ['stops at the lower end', 'from', -5, { from: 90_000, to: 200_000 }],
  ['stops at the upper end', 'to', 1e12, { from: 100_000, to: 260_000 }],
  ['an invalid number moves nothing', 'to', NaN, { from: 100_000, to: 200_000 }],
] as const)('a handle %s', (_name, handle, wanted, expected) => {
  expect(movedHandle({ from: 100_000, to: 200_000 }, handle, wanted, ends)).toEqual(expected)
})

test.each(weightBands('kurbani', []))('a band from $fromKg kg is read back from the handles', (band) => {
  const range = { minPrice: band.minPrice, maxPrice: band.maxPrice ?? MAX_PRICE_TAKA }
  const line = sliderEnds({ from: 93_450, to: 251_100 }, range)
  expect(askedBy(rangeOf(range, line), line)).toEqual(range)
})

test('after any moves the handles are 10,000 apart and on the line', () => {
  const move = fc.tuple(fc.constantFrom('from' as const, 'to' as const), fc.integer({ min: -1_000_000, max: 1_000_000 }))
  fc.assert(
    fc.property(fc.array(move, { maxLength: 20 }), (moves) => {
      const last = moves.reduce((range, [handle, wanted]) => movedHandle(range, handle, wanted, ends), ends)
      expect(last.to - last.from).toBeGreaterThanOrEqual(10_000)
      expect([last.from >= ends.from, last.to <= ends.to, last.from % 10, last.to % 10]).toEqual([true, true, 0, 0])
    }),
  )
})
