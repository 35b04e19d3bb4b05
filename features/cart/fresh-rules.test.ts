import { expect, test } from 'vitest'
import { taka } from '#lib/format/money.ts'
import type { ProductJson, StatusUpdateJson } from '../catalog/types.ts'
import { refreshedLines, withAcceptedPrice, reductionsOf, withFreshTerms, withStatuses } from './fresh-rules.ts'
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

test('before the first response a line is as stored', () => {
  expect(refreshedLines(cart, new Map())).toEqual([
    {
      item: cart[0],
      status: null,
      note: '',
      deliveryDate: null,
      weightKg: null,
      gone: false,
      stockMilli: null,
      change: null,
      reduction: null,
    },
  ])
})

test('a product that is no longer available stays, flagged as gone', () => {
  expect(refreshedLines(cart, new Map([[7, null]]))[0]).toMatchObject({ gone: true, change: null })
  expect(refreshedLines(cart, new Map([[7, { ...mango, status: 'hold' }]]))[0]).toMatchObject({ gone: true, status: 'hold' })
  expect(refreshedLines(cart, new Map([[7, { ...mango, status: 'pre-book' }]]))[0]).toMatchObject({ gone: false })
})

test('a higher price shows old and new, and waits to be accepted', () => {
  const dearer = { ...mango, price: 170, discount: 10, discount_type: 'percentage' as const }
  expect(refreshedLines(cart, new Map([[7, dearer]]))[0]).toMatchObject({
    change: { before: taka(150), now: taka(153) },
    reduction: null,
    item: { basePrice: 170, quantity: 10, productPrice: 1700 },
  })
})

test('a lower price applies immediately, with a note of old and new price while it is valid', () => {
  const cheaper = new Map([[7, { ...mango, price: 160, discount: 10, discount_type: 'percentage' as const }]])
  const note = { before: taka(150), now: taka(144) }
  expect(refreshedLines(cart, cheaper)[0]).toMatchObject({ change: null, reduction: note })
  const taken = withFreshTerms(cart, cheaper)
  expect(taken).toMatchObject([{ basePrice: 160, discount: 10, quantity: 10, productPrice: 1600 }])
  const notes = reductionsOf(cart, cheaper)
  expect(refreshedLines(taken, cheaper, notes)[0]).toMatchObject({ change: null, reduction: note })
  // From the price that was shown, a rise is a rise.
  const risen = refreshedLines(taken, new Map([[7, { ...mango, price: 149 }]]), notes)[0]
  expect(risen).toMatchObject({ change: { before: taka(144), now: taka(149) }, reduction: null })
})

test('the same unit price with another discount is no change', () => {
  const same = new Map([[7, { ...mango, price: 200, discount: 50, discount_type: 'fixed' as const }]])
  expect(refreshedLines(cart, same)[0]).toMatchObject({ change: null, reduction: null })
  expect(withFreshTerms(cart, same)).toMatchObject([{ basePrice: 200, discount: 50 }])
})

test('an ended discount is a higher price; a zero discount is no discount', () => {
  const discounted = [cartItemOf({ ...mango, discount: 20, discount_type: 'fixed' })]
  expect(refreshedLines(discounted, new Map([[7, mango]]))[0]?.change).toEqual({ before: taka(130), now: taka(150) })
  expect(refreshedLines(cart, new Map([[7, { ...mango, discount: 0, discount_type: 'fixed' }]]))[0]?.change).toBeNull()
})

test('charges, names and sizes are updated silently, a higher price only when accepted', () => {
  const fresh = new Map([[7, { ...mango, price: 160, shipping_cost: 120, product_type: 'হিমসাগর আম', cod_allowed: false }]])
  expect(withFreshTerms(cart, fresh)).toMatchObject([
    { basePrice: 150, productPrice: 1500, quantity: 10, shippingCost: 120, productName: 'হিমসাগর আম', codAllowed: false },
  ])
  expect(withAcceptedPrice(cart, fresh, 7)).toMatchObject([{ basePrice: 160, productPrice: 1600, quantity: 10, shippingCost: 120 }])
})

test('accepting a price accepts that of one product', () => {
  const two = [...cart, cartItemOf({ ...mango, id: 8 })]
  const fresh = new Map([7, 8].map((id) => [id, { ...mango, id, price: 160 }]))
  const accepted = withAcceptedPrice(two, fresh, 8)
  expect(accepted.map(({ basePrice }) => basePrice)).toEqual([150, 160])
  expect(refreshedLines(accepted, fresh).map(({ change }) => change !== null)).toEqual([true, false])
})

test('a quantity that is no sum of the new sizes stays in the cart, also after storing', () => {
  const taken = withFreshTerms(cart, new Map([[7, { ...mango, size: '4,8' }]]))
  expect(parseCart(storedCart(taken))).toMatchObject([{ productId: 7, size: '4,8', quantity: 10, productPrice: 1500 }])
})

test('a product that became an animal has quantity 1', () => {
  const taken = withFreshTerms(cart, new Map([[7, { ...mango, size: null, is_unique: true }]]))
  expect(parseCart(storedCart(taken))).toMatchObject([{ productId: 7, isUnique: true, quantity: 1, productPrice: 150 }])
})

test('an up-to-date cart stays the same object, also after storing', () => {
  const stored = parseCart(storedCart(cart))
  expect(withFreshTerms(stored, new Map([[7, mango]]))).toBe(stored)
  expect(withAcceptedPrice(stored, new Map([[7, mango]]), 7)).toBe(stored)
  expect(withFreshTerms(stored, new Map([[7, null]]))).toBe(stored)
})

test('a status refresh updates status, note and date, and reports products as stale when price or discount differ', () => {
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
  const { discount: _discount, discount_type: _type, ...specified } = row
  expect(withStatuses(known, [7], [specified])).toMatchObject({ stale: [] })
  expect(withStatuses(known, [7], [specified]).fresh.get(7)).toMatchObject({ status: 'hold', discount: null })
  expect(withStatuses(known, [7], [{ ...row, price: 151 }])).toMatchObject({ stale: [7] })
  expect(withStatuses(known, [7], [row]).stale).toEqual([])
  expect(withStatuses(known, [7], [{ ...row, discount: 20, discount_type: 'fixed' }]).stale).toEqual([7])
  const reduced = new Map([[7, { ...mango, discount: 20, discount_type: 'fixed' as const }]])
  expect(withStatuses(reduced, [7], [row]).stale).toEqual([7])
  expect(withStatuses(reduced, [7], [{ ...row, discount: 20, discount_type: 'percentage' }]).stale).toEqual([7])
  expect(withStatuses(new Map(), [7], [row]).stale).toEqual([7])
  expect(withStatuses(known, [7], []).fresh.get(7)).toBeNull()
})
