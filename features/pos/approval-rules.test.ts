import { describe, expect, it } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { exceptionsOf, isSameSale, type SaleLine, type SaleTerms } from './approval-rules.ts'

const line = (id: number, more: Partial<SaleLine> = {}): SaleLine => {
  return { id, quantityMilli: 1000, price: poisha(10_000), isPriceSet: false, isHeld: false, ...more }
}
const limit = { percent: 5, taka: 20 }

describe('exceptions that need a supervisor', () => {
  it.each<[string, SaleLine[], number, typeof limit | null, boolean]>([
    ['no discount', [line(1)], 0, limit, false],
    ['the maximum percentage', [line(1)], 500, limit, false],
    ['a poisha more', [line(1)], 501, limit, true],
    ['of all lines together', [line(1), line(2)], 1000, limit, false],
    ['by quantity', [line(1, { quantityMilli: 2000 })], 1000, limit, false],
    ['of half a kilogram', [line(1, { quantityMilli: 500 })], 251, limit, true],
    ['more than the maximum sum', [line(1, { price: poisha(100_000) })], 2001, limit, true],
    ['a device that does not know the limit', [line(1)], 9000, null, false],
    ['a limit of nothing', [line(1)], 1, { percent: 0, taka: 0 }, true],
  ])('discount: %s', (_what, lines, discount, of, isTooHigh) => {
    expect(exceptionsOf({ discount: poisha(discount), lines }, of)).toEqual(
      isTooHigh ? { isDiscountTooHigh: true, prices: [], held: [] } : null,
    )
  })

  it('set prices and products on hold', () => {
    const lines = [line(1), line(2, { price: poisha(7), isPriceSet: true }), line(3, { isHeld: true })]
    expect(exceptionsOf({ discount: poisha(0), lines }, limit)).toEqual({ isDiscountTooHigh: false, prices: [lines[1]], held: [lines[2]] })
  })
})

describe('an approval covers the sale exactly', () => {
  const cheap = line(1, { price: poisha(100), isPriceSet: true })
  const approved: SaleTerms = { discount: poisha(500), lines: [cheap, line(2), line(3, { isHeld: true })] }
  it('with the lines in another order', () => {
    expect(isSameSale(approved, { ...approved, lines: approved.lines.toReversed() })).toBe(true)
  })
  it.each<[string, Partial<SaleTerms>]>([
    ['more of a line', { lines: [{ ...cheap, quantityMilli: 200_000 }, ...approved.lines.slice(1)] }],
    ['less of a line', { lines: [{ ...cheap, quantityMilli: 500 }, ...approved.lines.slice(1)] }],
    ['a lower price', { lines: [{ ...cheap, price: poisha(99) }, ...approved.lines.slice(1)] }],
    ['a higher price', { lines: [{ ...cheap, price: poisha(101) }, ...approved.lines.slice(1)] }],
    ['a price set on another line', { lines: [cheap, line(2, { isPriceSet: true }), approved.lines[2]!] }],
    ['another held line', { lines: [cheap, line(2, { isHeld: true }), approved.lines[2]!] }],
    ['more of a plain line', { lines: [cheap, line(2, { quantityMilli: 2000 }), approved.lines[2]!] }],
    ['another plain line', { lines: [...approved.lines, line(4)] }],
    ['a line less', { lines: approved.lines.slice(0, 2) }],
    ['another product', { lines: [{ ...cheap, id: 9 }, ...approved.lines.slice(1)] }],
    ['a line twice', { lines: [...approved.lines, cheap] }],
    ['a higher discount', { discount: poisha(501) }],
    ['a lower discount', { discount: poisha(499) }],
  ])('not with %s', (_what, change) => {
    expect(isSameSale(approved, { ...approved, ...change })).toBe(false)
  })
})
