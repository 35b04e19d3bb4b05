import { expect, test } from 'vitest'
import { taka } from '#lib/money.ts'
import type { ProductJson, StatusUpdateJson } from '../catalog/types.ts'
import { freshLines, withAcceptedPrices, withFreshTerms, withStatuses } from './fresh-rules.ts'
import { updateQuantity } from './rules.ts'
import { cartItemOf, parseCart, storedCart } from './stored-rules.ts'

const mango: ProductJson = {
  id: 7,
  product_type: 'Himsagar mango',
  price: 150,
  unit: 'kg',
  status: 'in-stock',
  discount: null,
  discount_type: null,
  delivery_date: null,
  note: '',
  size: '5,10',
  advance_minimum: 0,
  advance_percentage: 0,
  advance_round_figure: 0,
  shipping_cost: 80,
  coupon_applicable: true,
  categories: [{ id: 3, key: 'fruits', name: 'Fruits', label: 'Fruits' }],
  images: [],
  image: '/uploads/x-800.webp',
  full_image_path: null,
  media: [],
  picture: null,
  delivery_group: 'produce',
  cod_allowed: true,
  is_unique: false,
  tag_number: null,
  breed: null,
  weight_kg: null,
  weighed_on: null,
  rate_per_kg: null,
  barcode: null,
  qr_url: '/product/7',
}
const ten = updateQuantity([cartItemOf(mango)], 7, 10)
const cart = ten.ok ? ten.value : []

test('before the shop has answered a line is as it was kept', () => {
  expect(freshLines(cart, new Map())).toEqual([
    { item: cart[0], status: null, note: '', deliveryDate: null, weightKg: null, gone: false, stockMilli: null, change: null },
  ])
})

test('a product that has gone stays, marked', () => {
  expect(freshLines(cart, new Map([[7, null]]))[0]).toMatchObject({ gone: true, change: null })
  expect(freshLines(cart, new Map([[7, { ...mango, status: 'hold' }]]))[0]).toMatchObject({ gone: true, status: 'hold' })
  expect(freshLines(cart, new Map([[7, { ...mango, status: 'pre-book' }]]))[0]).toMatchObject({ gone: false })
})

test('a changed price shows old and new, and counts at once in what is shown', () => {
  const line = freshLines(cart, new Map([[7, { ...mango, price: 160, discount: 10, discount_type: 'percentage' }]]))[0]
  expect(line).toMatchObject({ change: { before: taka(150), now: taka(144) }, item: { basePrice: 160, quantity: 10, productPrice: 1600 } })
})

test('an ended discount is a changed price; a discount of nothing is none', () => {
  const discounted = [cartItemOf({ ...mango, discount: 20, discount_type: 'fixed' })]
  expect(freshLines(discounted, new Map([[7, mango]]))[0]?.change).toEqual({ before: taka(130), now: taka(150) })
  expect(freshLines(cart, new Map([[7, { ...mango, discount: 0, discount_type: 'fixed' }]]))[0]?.change).toBeNull()
})

test('charges, names and sizes are taken over silently, prices only when accepted', () => {
  const fresh = new Map([[7, { ...mango, price: 160, shipping_cost: 120, product_type: 'হিমসাগর আম', cod_allowed: false }]])
  expect(withFreshTerms(cart, fresh)).toMatchObject([
    { basePrice: 150, productPrice: 1500, quantity: 10, shippingCost: 120, productName: 'হিমসাগর আম', codAllowed: false },
  ])
  expect(withAcceptedPrices(cart, fresh)).toMatchObject([{ basePrice: 160, productPrice: 1600, quantity: 10, shippingCost: 120 }])
})

test('a quantity that new sizes do not reach stays in the cart, also after it has been stored', () => {
  const taken = withFreshTerms(cart, new Map([[7, { ...mango, size: '4,8' }]]))
  expect(parseCart(storedCart(taken))).toMatchObject([{ productId: 7, size: '4,8', quantity: 10, productPrice: 1500 }])
})

test('what is an animal now is one', () => {
  const taken = withFreshTerms(cart, new Map([[7, { ...mango, size: null, is_unique: true }]]))
  expect(parseCart(storedCart(taken))).toMatchObject([{ productId: 7, isUnique: true, quantity: 1, productPrice: 150 }])
})

test('a cart that is fresh already stays the very same, also after it has been stored', () => {
  const kept = parseCart(storedCart(cart))
  expect(withFreshTerms(kept, new Map([[7, mango]]))).toBe(kept)
  expect(withAcceptedPrices(kept, new Map([[7, mango]]))).toBe(kept)
  expect(withFreshTerms(kept, new Map([[7, null]]))).toBe(kept)
})

test('a status refresh changes what it may, and asks for the whole product when price or discount differ', () => {
  const row: StatusUpdateJson = {
    id: 7,
    status: 'hold',
    price: 150,
    discount: null,
    discount_type: null,
    note: 'soon',
    delivery_date: '2025-06-02',
  }
  const known = new Map([[7, mango]])
  expect(withStatuses(known, [7], [row]).fresh.get(7)).toMatchObject({ status: 'hold', note: 'soon', delivery_date: '2025-06-02' })
  expect(withStatuses(known, [7], [{ ...row, price: 151 }])).toMatchObject({ stale: [7] })
  expect(withStatuses(known, [7], [row]).stale).toEqual([])
  expect(withStatuses(known, [7], [{ ...row, discount: 20, discount_type: 'fixed' }]).stale).toEqual([7])
  const reduced = new Map([[7, { ...mango, discount: 20, discount_type: 'fixed' as const }]])
  expect(withStatuses(reduced, [7], [row]).stale).toEqual([7])
  expect(withStatuses(reduced, [7], [{ ...row, discount: 20, discount_type: 'percentage' }]).stale).toEqual([7])
  expect(withStatuses(new Map(), [7], [row]).stale).toEqual([7])
  expect(withStatuses(known, [7], []).fresh.get(7)).toBeNull()
})
