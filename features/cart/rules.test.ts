import { describe, expect, test } from 'vitest'
import { validateBody } from '../pricing/coupons/forms.ts'
import {
  addItem,
  cartCount,
  findItem,
  MAX_LINES,
  quantityAfterMinus,
  quantityAfterPlus,
  removeItem,
  updateQuantity,
  type Cart,
  type CartItem,
} from './rules.ts'

const mango: CartItem = {
  productId: 1,
  productName: 'Mango',
  productImage: '/uploads/m-800.webp',
  basePrice: 100,
  productPrice: 500,
  quantity: 5,
  size: '5,10,20',
  discount: 10,
  discount_type: 'percentage',
  Unit: 'kg',
  couponApplicable: true,
  advanceMinimum: 0,
  advancePercentage: 0,
  advanceRoundFigure: 0,
  shippingCost: 120,
  categories: [{ id: 3, key: 'fruits', name: 'Fruits', label: 'Fruits' }],
  isUnique: false,
  deliveryGroup: 'produce',
  codAllowed: true,
  tagNumber: null,
}
const cow: CartItem = {
  ...mango,
  productId: 2,
  productName: 'Cow KB-101',
  basePrice: 138_500,
  productPrice: 138_500,
  quantity: 1,
  size: null,
  isUnique: true,
  deliveryGroup: 'cattle',
}
const cart: Cart = [mango, cow]

describe('adding', () => {
  test('a new product goes to the end', () => {
    expect(addItem([mango], cow)).toEqual({ ok: true, value: [mango, cow] })
  })

  test('a product that is in the cart is rejected, and the cart does not change', () => {
    expect(addItem(cart, { ...mango, quantity: 10 })).toEqual({ ok: false, reason: 'already-in-cart' })
    expect(cart).toEqual([mango, cow])
  })

  test('has at most a hundred lines', () => {
    const full = Array.from({ length: 100 }, (_, index) => ({ ...mango, productId: index + 10 }))
    expect(addItem(full, mango)).toEqual({ ok: false, reason: 'cart-full' })
  })
})

test('removing keeps the other lines; the badge counts lines, not kilograms', () => {
  expect(removeItem(cart, 1)).toEqual([cow])
  expect(removeItem(cart, 9)).toEqual(cart)
  expect(cartCount(cart)).toBe(2)
  expect(findItem(cart, 9)).toBeNull()
})

describe('changing the quantity', () => {
  test('updates the price of the line', () => {
    expect(updateQuantity(cart, 1, 15)).toEqual({ ok: true, value: [{ ...mango, quantity: 15, productPrice: 1500 }, cow] })
  })

  test.each([
    ['no sum of sizes', 1, 7],
    ['below the smallest', 1, 0],
    ['negative', 1, -5],
    ['no number', 1, NaN],
    ['finer than a thousandth', 1, 5.0001],
    ['infinite', 1, Infinity],
    ['two of an animal', 2, 2],
    ['half an animal', 2, 0.5],
  ])('rejects %s', (_name, productId, quantity) => {
    expect(updateQuantity(cart, productId, quantity)).toEqual({ ok: false, reason: 'quantity-not-allowed' })
  })

  test('a product that is not in the cart is a result, not an exception', () => {
    expect(updateQuantity(cart, 9, 5)).toEqual({ ok: false, reason: 'not-in-cart' })
  })

  test('plus and minus step through the sums of sizes', () => {
    expect(quantityAfterPlus(mango)).toBe(10)
    expect(quantityAfterMinus(mango)).toBe(5)
    expect(quantityAfterMinus({ ...mango, quantity: 15 })).toBe(10)
    expect(quantityAfterPlus({ ...mango, size: '0.5,1', quantity: 0.5 })).toBe(1)
    expect(quantityAfterPlus({ ...mango, size: null, quantity: 1 })).toBe(2)
    expect(quantityAfterPlus(cow)).toBe(1)
    expect(quantityAfterMinus(cow)).toBe(1)
  })
})

test('a coupon is checked for every cart that may be ordered', () => {
  const body = (lines: number) => ({
    code: 'EID10',
    cart_items: Array.from({ length: lines }, (_, id) => ({ product_id: id + 1, quantity: 1 })),
  })
  expect([MAX_LINES, MAX_LINES + 1].map((lines) => validateBody.safeParse(body(lines)).success)).toEqual([true, false])
})
