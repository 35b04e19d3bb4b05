import { describe, expect, it } from 'vitest'
import type { PosLine } from '#features/pos/rules.ts'
import { poisha } from '#lib/format/money.ts'
import { conflictOf, couponBasis, couponBodyOf } from './sale-coupon.ts'
import { getSaleState, newSale, type Sale, saleBodyOf } from './sale.ts'

const line: PosLine = {
  id: 1,
  name: 'Mango',
  unit: 'kg',
  price: poisha(10_000),
  quantity: '1.5',
  image: null,
  isAnimal: false,
  group: 'produce',
  shipping: poisha(0),
}
const plain: Sale = { ...newSale(), lines: [line], phone: '01712345678' }
const coupon = { code: 'EID', discount: poisha(1500), deliverySaved: poisha(0), pricedFor: couponBasis(plain) }
const at = (changes: Partial<Sale>) => {
  const sale = { ...plain, ...changes }
  const state = getSaleState(sale, {
    areas: [],
    roundsCash: false,
    walkInSales: true,
    days: { cutoffHour: 21, calendar: { daysAhead: 3, closedWeekdays: [], fullDays: {} }, isCollectionOffered: true },
  })
  return { state, body: saleBodyOf(sale, state) }
}

describe('a coupon on the screen', () => {
  it('takes its discount off and is sent by its code', () => {
    const { state, body } = at({ coupon })
    expect(state).toMatchObject({ problem: null, coupon, sums: { discount: 1500, total: 13_500 } })
    expect(body).toMatchObject({ coupon: 'EID', discount: 0, total: 135, sub_total: 150 })
  })

  it('is absent from a sale without one', () => {
    expect(at({}).body).not.toHaveProperty('coupon')
    expect(at({ coupon: { ...coupon, code: ' ', pricedFor: null } })).toMatchObject({ state: { problem: null, coupon: null } })
  })

  it.each<[string, Partial<Sale>]>([
    ['typed and not priced', { coupon: { ...coupon, pricedFor: null } }],
    ['another quantity', { lines: [{ ...line, quantity: '2' }] }],
    ['another price', { lines: [{ ...line, price: poisha(9000) }] }],
    ['another customer', { phone: '01712345679' }],
    ['a walk-in', { walkIn: true, phone: '' }],
    ['a discount', { discount: '5' }],
    ['a discount on a line', { lines: [{ ...line, discount: '1' }] }],
    ['a set price', { lines: [{ ...line, listPrice: poisha(11_000) }] }],
    ['a product on hold', { lines: [{ ...line, isHeld: true }] }],
  ])('blocks the sale: %s', (_, changes) => {
    expect(at({ coupon, ...changes }).state).toMatchObject({ problem: 'coupon', coupon: null })
  })

  it('names the conflict, and is priced for readable lines only', () => {
    expect(conflictOf({ ...plain, coupon, discount: 'x' })).toBe('discount')
    expect(conflictOf({ ...plain, discount: '5' })).toBeNull()
    expect(couponBodyOf({ ...plain, coupon })).toEqual({
      coupon: 'EID',
      phone: plain.phone,
      products: [{ id: 1, quantity: '1.5' }],
      area_id: null,
    })
    expect(couponBodyOf({ ...plain, lines: [{ ...line, quantity: 'x' }], coupon })).toBeNull()
  })
})
