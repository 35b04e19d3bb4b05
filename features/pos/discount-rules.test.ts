import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { poisha, ZERO } from '#lib/format/money.ts'
import { discountLimit } from './approval-rules.ts'
import { goodsAfterLineDiscounts, isPercentage, lineDiscount, readDiscount, saleDiscount, togglePercentage } from './discount-rules.ts'
import type { PosLine } from './rules.ts'

const line = (changes: Partial<PosLine> = {}): PosLine => {
  const product = { id: 1, name: 'Mango', unit: 'kg', image: null, isAnimal: false, group: 'produce', shipping: ZERO } as const
  return { ...product, price: poisha(10_000), quantity: '1', ...changes }
}

test.each([
  ['', 0],
  ['5', 500],
  ['৫', 500],
  ['10%', 2370],
  ['১০%', 2370],
  ['10 %', 2370],
  ['7.5%', 1777],
  ['৭,৫%', 1777],
  ['100%', 23_700],
  ['0%', null],
  ['101%', null],
  ['%', null],
  ['10%%', null],
  ['1.234%', null],
  ['-5%', null],
  ['-5', null],
  ['237', 23_700],
  ['237.01', null],
  ['x', null],
])('the discount %j on ৳237 is %j poisha', (typed, amount) => {
  expect(readDiscount(typed, poisha(23_700))).toBe(amount)
})

test('the percent sign is turned on and off', () => {
  expect(['', '10', '10 ', '10%', '১০ %'].map(togglePercentage)).toEqual(['%', '10%', '10%', '10', '১০'])
  expect([isPercentage('10%'), isPercentage('10 % '), isPercentage('10')]).toEqual([true, true, false])
})

test('a percentage at the limit of the cashier is within it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000 }), fc.integer({ min: 1, max: 100 }), (goods, percent) => {
      expect(readDiscount(`${percent}%`, poisha(goods))).toBe(discountLimit(poisha(goods), { percent, taka: 1e9 }))
    }),
  )
})

describe('the discounts of a sale', () => {
  it('are those of its lines, and one of the rest', () => {
    const lines = [line({ discount: '10%' }), line({ id: 2, quantity: '2', discount: '5' }), line({ id: 3 })]
    expect(lines.map(lineDiscount)).toEqual([1000, 500, 0])
    expect(goodsAfterLineDiscounts(lines)).toBe(38_500)
    expect([saleDiscount(lines, ''), saleDiscount(lines, '10%'), saleDiscount(lines, '385')]).toEqual([1500, 5350, 40_000])
  })

  it('are unknown while one is unreadable or more than its products', () => {
    expect(saleDiscount([line({ discount: 'x' })], '')).toBeNull()
    expect(saleDiscount([line({ discount: '101' })], '')).toBeNull()
    expect(saleDiscount([line({ discount: '10%' })], '90.01')).toBeNull()
    expect(saleDiscount([line()], 'x')).toBeNull()
    expect(saleDiscount([], '')).toBe(0)
  })

  it('are never more than the products', () => {
    const typed = fc.oneof(
      fc.integer({ min: 0, max: 200 }).map((taka) => String(taka)),
      fc.integer({ min: 1, max: 100 }).map((percent) => `${percent}%`),
    )
    fc.assert(
      fc.property(fc.array(typed, { maxLength: 5 }), typed, (ofLines, ofSale) => {
        const lines = ofLines.map((discount, id) => line({ id, discount }))
        const discount = saleDiscount(lines, ofSale)
        if (discount !== null) expect(discount).toBeLessThanOrEqual(lines.length * 10_000)
      }),
    )
  })
})
