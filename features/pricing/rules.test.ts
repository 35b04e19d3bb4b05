import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { poisha, taka } from '#lib/format/money.ts'
import { lineTotal } from '#features/catalog/shown-price-rules.ts'
import { couponDelivery, couponDiscount, deliveryCharge, lineAdvance, orderTotal, type AreaCharges, type Coupon } from './rules.ts'

test.each([
  [taka(667), 3000, taka(2001)],
  [taka(85), 500, poisha(4250)],
  [poisha(15_050), 2500, poisha(37_625)],
  [poisha(1), 500, poisha(1)],
  [poisha(1), 499, poisha(0)],
  [taka(100_000_000), 10_000_000, taka(1_000_000_000_000)],
])('%d poisha times %d thousandths is %d', (unit, milli, total) => {
  expect(lineTotal(unit, milli)).toBe(total)
})

describe('delivery', () => {
  const dhaka: AreaCharges = { cattle: { open: true, charge: taka(1500) }, produce: { open: true, charge: taka(60) } }
  const closed: AreaCharges = { cattle: { open: false, charge: null } }
  const cow = { deliveryGroup: 'cattle' as const, shipping: taka(2000) }
  const mango = { deliveryGroup: 'produce' as const, shipping: taka(120) }
  test.each([
    ['the dearest item decides', [cow, mango], dhaka, taka(1500)],
    ['before an area is chosen the product decides', [cow, mango], null, taka(2000)],
    ['an area without a word for produce', [mango], closed, taka(120)],
    ['an area that names no charge', [cow], { cattle: { open: true, charge: null } }, taka(2000)],
    ['free in this area', [mango], { produce: { open: true, charge: taka(0) } }, taka(0)],
    ['nothing to deliver', [], dhaka, taka(0)],
  ])('%s', (_name, items, area, charge) => {
    expect(deliveryCharge(items, area)).toEqual({ ok: true, value: charge })
  })

  test('an area that is closed for a group is a result', () => {
    expect(deliveryCharge([mango, cow], closed)).toEqual({ ok: false, reason: 'area-closed-for-cattle' })
    expect(deliveryCharge([mango], { produce: { open: false, charge: null } })).toEqual({ ok: false, reason: 'area-closed-for-produce' })
  })
})

describe('the advance of a line', () => {
  const terms = (minimum: number, percent: number, round: number) => ({
    minimum: taka(minimum),
    percentBp: percent * 100,
    roundTo: taka(round),
  })
  test.each([
    ['nothing asked', 1000, terms(0, 0, 0), 0],
    ['the minimum', 110_000, terms(10_000, 5, 0), 10_000],
    ['the share when larger', 300_000, terms(10_000, 5, 0), 15_000],
    ['raised to a round figure', 110_250, terms(0, 10, 500), 11_500],
    ['already round', 110_000, terms(0, 10, 500), 11_000],
    ['never above the line', 8000, terms(10_000, 0, 500), 8000],
    ['rounding never above the line', 990, terms(0, 100, 500), 990],
  ])('%s', (_name, total, asked, advance) => {
    expect(lineAdvance(taka(total), asked)).toBe(taka(advance))
  })

  test('a fraction of a poisha is rounded up', () => {
    expect(lineAdvance(poisha(12_345), { minimum: taka(0), percentBp: 3333, roundTo: taka(1) })).toBe(taka(42))
  })
})

describe('coupons', () => {
  const coupon = (given: Partial<Coupon>): Coupon => ({
    kind: 'percentage',
    percentBp: 0,
    maxDiscount: null,
    value: taka(0),
    appliesToAll: true,
    productIds: [],
    ...given,
  })
  const line = (productId: number, total: number, couponApplicable = true) => ({ productId, baseTotal: taka(total), couponApplicable })
  test.each([
    ['a percentage of every flagged line', coupon({ percentBp: 1000 }), [line(1, 1000), line(2, 500, false)], 100],
    ['of the listed lines only', coupon({ percentBp: 1000, appliesToAll: false, productIds: [2] }), [line(1, 1000), line(2, 500)], 50],
    ['listed but not flagged', coupon({ percentBp: 1000, appliesToAll: false, productIds: [2] }), [line(2, 500, false)], 0],
    ['half a taka goes up', coupon({ percentBp: 1000 }), [line(1, 1005)], 101],
    ['capped after rounding', coupon({ percentBp: 1000, maxDiscount: taka(100) }), [line(1, 5000)], 100],
    ['a cap of zero is none', coupon({ percentBp: 1000, maxDiscount: taka(0) }), [line(1, 5000)], 500],
    ['fixed taka off', coupon({ kind: 'others', value: taka(150) }), [line(1, 1000)], 150],
    ['fixed, never below zero', coupon({ kind: 'others', value: taka(1500) }), [line(1, 1000), line(2, 900, false)], 1000],
    ['free delivery takes nothing off', coupon({ kind: 'free_shipping', value: taka(50) }), [line(1, 1000)], 0],
    ['never more than the lines', coupon({ percentBp: 20_000 }), [line(1, 1000)], 1000],
  ])('%s', (_name, given, lines, discount) => {
    expect(couponDiscount(given, lines)).toBe(taka(discount))
  })

  test('free delivery has its own charge, and never raises the charge', () => {
    const lines = [line(1, 1000, false)]
    expect(couponDelivery(coupon({ kind: 'free_shipping' }), lines, taka(120))).toBe(0)
    expect(couponDelivery(coupon({ kind: 'free_shipping', value: taka(50) }), lines, taka(120))).toBe(taka(50))
    expect(couponDelivery(coupon({ kind: 'free_shipping', value: taka(500) }), lines, taka(120))).toBe(taka(120))
    expect(couponDelivery(coupon({ kind: 'free_shipping', appliesToAll: false, productIds: [9] }), lines, taka(120))).toBe(taka(120))
    expect(couponDelivery(coupon({ percentBp: 1000 }), lines, taka(120))).toBe(taka(120))
    expect(couponDelivery(null, lines, taka(120))).toBe(taka(120))
  })

  test('a percentage never exceeds its cap, nor the eligible lines', () => {
    const lines = fc.array(
      fc.record({
        productId: fc.integer({ min: 1, max: 9 }),
        baseTotal: fc.integer({ min: 0, max: 1e12 }).map(poisha),
        couponApplicable: fc.boolean(),
      }),
      { maxLength: 10 },
    )
    fc.assert(
      fc.property(lines, fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 1, max: 1e9 }), (given, percentBp, cap) => {
        const discount = couponDiscount(coupon({ percentBp, maxDiscount: poisha(cap) }), given)
        const eligible = given.filter((one) => one.couponApplicable).reduce((total, one) => total + one.baseTotal, 0)
        expect(discount).toBeGreaterThanOrEqual(0)
        expect(discount).toBeLessThanOrEqual(Math.min(cap, eligible))
      }),
    )
  })
})

test('the total is subtotal plus delivery less the discount, which never exceeds the subtotal', () => {
  expect(orderTotal(taka(1000), taka(60), taka(100))).toBe(taka(960))
  expect(orderTotal(taka(1000), taka(60), taka(5000))).toBe(taka(60))
})
