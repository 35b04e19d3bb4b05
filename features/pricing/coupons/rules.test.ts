import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { poisha, taka } from '#lib/format/money.ts'
import { couponCovers, couponDelivery, couponDiscount, type Coupon, type CouponLine } from '../rules.ts'
import { couponFor, couponError, type CouponTerms, normalizeCouponCode, quotedError } from './rules.ts'

const now = new Date('2026-11-20T06:00:00Z')
const terms: CouponTerms = {
  id: 1,
  code: 'EID10',
  kind: 'percentage',
  percentBp: 1000,
  value: taka(0),
  maxDiscount: null,
  scope: 'all',
  productIds: [],
  categoryIds: [],
  minSubtotal: taka(0),
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerCustomer: null,
  firstOrderOnly: false,
  active: true,
  uses: 0,
  version: 1,
}
const newcomer = { uses: 0, hasOrdered: false }
const regular = { uses: 1, hasOrdered: true }

describe('codes', () => {
  test.each([
    ['eid10', 'EID10'],
    ['  Eid 10 ', 'EID10'],
    ['eid১০', 'EID10'],
    ['EID-10_A', 'EID-10_A'],
    ['ab', null],
    ['', null],
    ['-EID', null],
    ['EID%00', null],
    ['EID\u0000', null],
    ["EID' or 1=1", null],
    ['x'.repeat(33), null],
    ['x'.repeat(10_000), null],
    ['ঈদ১০', null],
    ['EID\ud800', null],
  ])('%j is %j', (typed, code) => {
    expect(normalizeCouponCode(typed)).toBe(code)
  })
})

describe('whether a customer can use a coupon', () => {
  test.each<[string, Partial<CouponTerms>, typeof newcomer, string | null]>([
    ['any customer', {}, regular, null],
    ['no customer when it is inactive', { active: false }, newcomer, 'unknown'],
    ['not before its first moment', { startsAt: now.getTime() + 1 }, newcomer, 'not-yet'],
    ['from its first moment', { startsAt: now.getTime() }, newcomer, null],
    ['to just before its end', { endsAt: now.getTime() + 1 }, newcomer, null],
    ['not at its end', { endsAt: now.getTime() }, newcomer, 'expired'],
    ['while some are left', { maxUses: 5, uses: 4 }, newcomer, null],
    ['not when all are used', { maxUses: 5, uses: 5 }, newcomer, 'used-up'],
    ['once each', { maxUsesPerCustomer: 1 }, newcomer, null],
    ['not twice', { maxUsesPerCustomer: 1 }, regular, 'used-by-you'],
    ['twice where twice is allowed', { maxUsesPerCustomer: 2 }, regular, null],
    ['for a first order', { firstOrderOnly: true }, newcomer, null],
    ['not for a second', { firstOrderOnly: true }, { uses: 0, hasOrdered: true }, 'first-order-only'],
  ])('%s', (_name, given, customer, refusal) => {
    expect(couponError({ ...terms, ...given }, customer, now)).toBe(refusal)
  })

  test.each<[string, Partial<CouponTerms>, number, 'applied' | 'product-discount-better' | 'not-applicable', string | null]>([
    ['a subtotal that is high enough', { minSubtotal: taka(500) }, 500, 'applied', null],
    ['a poisha short', { minSubtotal: poisha(50_001) }, 500, 'applied', 'below-minimum'],
    ['no product that it applies to', {}, 500, 'not-applicable', 'not-applicable'],
    ['product discounts that are worth more', {}, 500, 'product-discount-better', null],
  ])('%s', (_name, given, subtotal, coupon, refusal) => {
    expect(quotedError({ ...terms, ...given }, { subtotal: taka(subtotal), coupon })).toBe(refusal)
  })
})

test('a coupon applies to all products, to a list, or to its categories', () => {
  const products = [
    { id: 1, categoryIds: [3] },
    { id: 2, categoryIds: [2, 5] },
  ]
  const listed = (given: Partial<CouponTerms>) => {
    const { appliesToAll, productIds } = couponFor({ ...terms, ...given }, products)
    return [appliesToAll, productIds]
  }
  expect(listed({ productIds: [9] })).toEqual([true, []])
  expect(listed({ scope: 'products', productIds: [1, 9], categoryIds: [5] })).toEqual([false, [1, 9]])
  expect(listed({ scope: 'categories', productIds: [1], categoryIds: [5, 6] })).toEqual([false, [2]])
})

describe('the discount of a coupon', () => {
  const line = (baseTotal: number, couponApplicable = true): CouponLine => ({
    productId: 1,
    baseTotal: poisha(baseTotal),
    couponApplicable,
  })
  const coupon = (given: Partial<Coupon>): Coupon => ({
    kind: 'percentage',
    percentBp: 0,
    maxDiscount: null,
    value: taka(0),
    appliesToAll: true,
    productIds: [],
    ...given,
  })
  test.each([
    ['33.33 % of three times 999.99 in whole taka', coupon({ percentBp: 3333 }), [line(299_997)], taka(1000)],
    ['half a taka goes up', coupon({ percentBp: 1000 }), [line(1500), line(3500)], taka(5)],
    ['just below half goes down', coupon({ percentBp: 1000 }), [line(4499)], taka(4)],
    ['all of it', coupon({ percentBp: 10_000 }), [line(299_949)], taka(2999)],
    ['all of it, never more than there is', coupon({ percentBp: 10_000 }), [line(299_950)], poisha(299_950)],
    ['a cap counts after rounding', coupon({ percentBp: 3333, maxDiscount: poisha(99_999) }), [line(299_997)], poisha(99_999)],
    ['a cap of nothing is none', coupon({ percentBp: 1000, maxDiscount: taka(0) }), [line(100_000)], taka(100)],
    ['only what is flagged', coupon({ percentBp: 1000 }), [line(100_000), line(900_000, false)], taka(100)],
    ['a fixed sum', coupon({ kind: 'others', value: poisha(12_345) }), [line(100_000)], poisha(12_345)],
    ['a fixed sum above the goods', coupon({ kind: 'others', value: taka(5000) }), [line(100_000), line(900_000, false)], taka(1000)],
    ['a negative sum', coupon({ kind: 'others', value: poisha(-5) }), [line(100_000)], poisha(0)],
    ['cheaper delivery takes nothing off the goods', coupon({ kind: 'free_shipping' }), [line(100_000)], poisha(0)],
  ])('%s', (_name, given, lines, off) => {
    expect(couponDiscount(given, lines)).toBe(off)
  })

  test('is never negative, never more than the covered lines, and in whole taka, or the cap, or the whole amount; delivery never costs more', () => {
    const money = fc.integer({ min: 0, max: 1e10 }).map(poisha)
    const someCoupon = fc.record({
      kind: fc.constantFrom('percentage' as const, 'free_shipping' as const, 'others' as const),
      percentBp: fc.integer({ min: -100, max: 20_000 }),
      maxDiscount: fc.option(money),
      value: fc.integer({ min: -1000, max: 1e10 }).map(poisha),
      appliesToAll: fc.boolean(),
      productIds: fc.array(fc.integer({ min: 1, max: 5 })),
    })
    const someLines = fc.array(fc.record({ productId: fc.integer({ min: 1, max: 5 }), baseTotal: money, couponApplicable: fc.boolean() }), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(someCoupon, someLines, money, (given, lines, delivery) => {
        const covered = lines.filter((one) => couponCovers(given, one)).reduce((total, one) => total + one.baseTotal, 0)
        const off = couponDiscount(given, lines)
        expect(off).toBeGreaterThanOrEqual(0)
        expect(off).toBeLessThanOrEqual(covered)
        if (given.kind === 'percentage' && given.maxDiscount) expect(off).toBeLessThanOrEqual(given.maxDiscount)
        if (given.kind === 'percentage' && off !== covered && off !== given.maxDiscount) {
          expect(off % 100).toBe(0)
          expect(Math.abs(off - (covered * given.percentBp) / 10_000)).toBeLessThanOrEqual(given.percentBp < 0 ? Infinity : 50.01)
        }
        const left = couponDelivery(given, lines, delivery)
        expect(left).toBeGreaterThanOrEqual(0)
        expect(left).toBeLessThanOrEqual(delivery)
      }),
    )
  })
})
