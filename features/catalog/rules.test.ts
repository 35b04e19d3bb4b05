import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { activeBand, bandLabel, BEEF_BANDS, cardAction, KURBANI_BANDS, paginationWindow } from './rules.ts'

test.each([
  ['in-stock', 'general', 'add-to-cart', null],
  ['pre-book', 'general', 'add-to-cart', 'pre-order'],
  ['hold', 'general', 'wait', null],
  ['hold', 'kurbani', 'wait', 'on-hold'],
  ['out-of-stock', 'general', 'out-of-stock', 'sold-out'],
  ['sold', 'kurbani', 'details', 'sold-out'],
  ['sold', 'general', 'none', null],
  ['something', 'kurbani', 'none', null],
] as const)('%s on the %s list', (status, listing, action, ribbon) => {
  expect(cardAction(status, listing)).toEqual({ action, ribbon })
})

describe('weight bands', () => {
  test('have the specified labels and prices', () => {
    expect(BEEF_BANDS.map((band) => [bandLabel(band, 'en'), band.minPrice, band.maxPrice])).toEqual([
      ['150-200kg', 78_000, 104_000],
      ['200-225kg', 104_000, 117_000],
      ['225-250kg', 117_000, 130_000],
      ['250-275kg', 130_000, 143_000],
      ['275-300kg', 143_000, 156_000],
      ['300-325kg', 156_000, 169_000],
      ['325-350+kg', 169_000, null],
    ])
    expect(KURBANI_BANDS.map((band) => [bandLabel(band, 'en'), band.minPrice, band.maxPrice])).toEqual([
      ['200-250kg', 110_000, 137_500],
      ['251-300kg', 135_540, 162_000],
      ['301-350kg', 159_530, 185_500],
      ['351-400+kg', 184_275, null],
    ])
    expect(bandLabel(KURBANI_BANDS[3]!, 'bn')).toBe('৩৫১-৪০০+ কেজি')
  })

  test('the band of the shown prices is active', () => {
    expect(activeBand(KURBANI_BANDS, { minPrice: 135_540, maxPrice: 162_000 })).toBe(KURBANI_BANDS[1])
    expect(activeBand(KURBANI_BANDS, { minPrice: 184_275, maxPrice: 100_000_000 })).toBe(KURBANI_BANDS[3])
    expect(activeBand(KURBANI_BANDS, { minPrice: 0, maxPrice: 100_000_000 })).toBeNull()
  })
})

describe('page numbers', () => {
  test.each([
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [7, 20, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    [20, 20, [15, 16, 17, 18, 19, 20]],
    [1, 0, []],
  ])('on %d of %d', (current, last, pages) => {
    expect(paginationWindow(current, last)).toEqual(pages)
  })

  test('are consecutive, within bounds, at most eleven, and contain the current page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 0, max: 1000 }), (current, more) => {
        const pages = paginationWindow(current, current + more)
        expect(pages).toContain(current)
        expect(pages.length).toBeLessThanOrEqual(11)
        expect(pages[0]).toBeGreaterThanOrEqual(1)
        expect(pages.at(-1)).toBeLessThanOrEqual(current + more)
        pages.forEach((page, index) => expect(page).toBe(pages[0]! + index))
      }),
    )
  })
})
