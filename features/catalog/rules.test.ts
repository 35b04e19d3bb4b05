import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardAction, paginationWindow } from './rules.ts'

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
