import { expect, it } from 'vitest'
import { poisha, sum, ZERO } from '#lib/format/money.ts'
import type { Coupon } from '../rules.ts'
import { couponShares, sharesAfterEdit, splitByWeight } from './share-rules.ts'

const amounts = (...all: number[]) => all.map(poisha)

it.each<[number, number[], number[]]>([
  [100, [1, 1, 1], [33, 34, 33]],
  [1, [1, 1], [1, 0]],
  [7, [0, 5, 0], [0, 7, 0]],
  [7, [0, 0], [0, 0]],
  [0, [3, 4], [0, 0]],
  [5, [], []],
  // Products of two amounts exceed safe integers.
  [999_999_999_999, [9e12, 1e12], [900_000_000_000 - 1, 100_000_000_000]],
])('%i by the weights %j: %j', (amount, weights, shares) => {
  expect(splitByWeight(poisha(amount), amounts(...weights))).toEqual(shares)
})

it('splits exactly, and no share exceeds its weight', () => {
  let seed = 7
  const roll = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 3000; round++) {
    const weights = amounts(...Array.from({ length: 1 + roll(6) }, () => roll(roll(4) === 0 ? 1_000_000 : 5)))
    const amount = poisha(roll(sum(weights) + 1))
    const shares = splitByWeight(amount, weights)
    expect(sum(shares)).toBe(amount)
    expect(shares.filter((share, index) => share < 0 || share > weights[index]!)).toEqual([])
  }
})

const coupon: Coupon = { kind: 'percentage', percentBp: 2000, maxDiscount: null, value: ZERO, appliesToAll: false, productIds: [1, 2] }
const line = (productId: number, baseTotal: number, retained = 0) => ({
  productId,
  baseTotal: poisha(baseTotal),
  couponApplicable: true,
  retained: poisha(retained),
})

it('a line without the coupon that keeps a discount leaves less for the others', () => {
  // The coupon's ৳300 include the ৳60 and ৳30 that lines keep.
  const lines = [line(1, 100_000), line(2, 50_000, 6000), line(3, 30_000, 3000)]
  const shares = couponShares(coupon, lines, poisha(30_000))
  expect(shares).toEqual([17_500, 3500, 0])
  expect(couponShares(coupon, [line(3, 30_000)], ZERO)).toEqual([0])
  expect(couponShares({ ...coupon, kind: 'free_shipping' }, lines, ZERO)).toEqual([0, 0, 0])
})

const sold = (productId: number, quantityMilli: number, total: number, discount = 0) => ({
  productId,
  quantityMilli,
  total: poisha(total),
  discount: poisha(discount),
})

it('after an edit no share exceeds its line or the discount that is left', () => {
  const before = [sold(1, 2000, 20_000, 4000), sold(2, 1000, 5000, 1000)]
  const edited = (lines: ReturnType<typeof sold>[], orderDiscount: number, hasCoupon = true) =>
    sharesAfterEdit(before, lines, { orderDiscount: poisha(orderDiscount), hasCoupon })
  expect(edited(before, 5000)).toEqual([4000, 1000])
  expect(edited([sold(1, 1000, 10_000), sold(2, 1000, 5000)], 3000)).toEqual([2000, 1000])
  expect(edited([sold(2, 1000, 3000)], 5000)).toEqual([3000])
  expect(edited([sold(3, 1000, 9000)], 5000)).toEqual([0])
  // The discount on a line of the POS neither moves to another one nor falls with a quantity.
  expect(edited([sold(2, 1000, 5000)], 5000, false)).toEqual([1000])
  expect(edited([sold(1, 1000, 10_000), sold(2, 1000, 500)], 5000, false)).toEqual([4000, 500])
  expect(edited(before, 2500, false)).toEqual([2000, 500])
})
