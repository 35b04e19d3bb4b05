import { describe, expect, test } from 'vitest'
import { taka } from '#lib/format/money.ts'
import { couponOf } from './coupon-response.ts'

const order = {
  code: 'EID10',
  coupon_discount_type: 'percentage',
  coupon_percentage: 12.5,
  max_discount_amount: 500,
  coupon_value: 0,
  applies_to_all: false,
  applicable_products: [3, 4],
}

describe('the response of POST /coupons/validate', () => {
  test('is parsed into a coupon of the pricing rules', () => {
    expect(couponOf({ message: 'Coupon applied successfully!', order: order })).toEqual({
      code: 'EID10',
      coupon: { kind: 'percentage', percentBp: 1250, maxDiscount: taka(500), value: 0, appliesToAll: false, productIds: [3, 4] },
    })
    expect(
      couponOf({ order: { ...order, coupon_discount_type: 'free_shipping', max_discount_amount: null, coupon_value: 30.5 } }),
    ).toMatchObject({
      coupon: { kind: 'free_shipping', maxDiscount: null, value: 3050 },
    })
  })
  test.each([null, undefined, 'text', {}, { order: null }, { order: 'x' }, { order: { ...order, code: 5 } }])(
    '%j is no coupon',
    (response) => {
      expect(couponOf(response)).toBeNull()
    },
  )
})
