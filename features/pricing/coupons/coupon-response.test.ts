import { describe, expect, test } from 'vitest'
import { taka } from '#lib/format/money.ts'
import { couponOf } from './coupon-response.ts'

const said = {
  code: 'EID10',
  coupon_discount_type: 'percentage',
  coupon_percentage: 12.5,
  max_discount_amount: 500,
  coupon_value: 0,
  applies_to_all: false,
  applicable_products: [3, 4],
}

describe('what the shop says of a coupon', () => {
  test('as the rules take it', () => {
    expect(couponOf({ message: 'Coupon applied successfully!', order: said })).toEqual({
      code: 'EID10',
      coupon: { kind: 'percentage', percentBp: 1250, maxDiscount: taka(500), value: 0, appliesToAll: false, productIds: [3, 4] },
    })
    expect(
      couponOf({ order: { ...said, coupon_discount_type: 'free_shipping', max_discount_amount: null, coupon_value: 30.5 } }),
    ).toMatchObject({
      coupon: { kind: 'free_shipping', maxDiscount: null, value: 3050 },
    })
  })
  test.each([null, undefined, 'text', {}, { order: null }, { order: 'x' }, { order: { ...said, code: 5 } }])('%j is none', (answer) => {
    expect(couponOf(answer)).toBeNull()
  })
})
