// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { changeCart, setQuantity } from '#features/cart/ui/cart-store.ts'
import { CART_KEY } from '#features/cart/rules.ts'
import { parseCart } from '#features/cart/stored-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { fillCart } from './fill-cart.ts'

const product = (id: number, more: object = {}) =>
  ({
    id,
    product_type: `Product ${id}`,
    price: 90,
    unit: 'kg',
    size: '1,5',
    images: [],
    categories: [],
    is_unique: false,
    ...more,
  }) as unknown as ProductJson
const MANGO = product(1)
const COW = product(2, { is_unique: true, size: null })
const again = (quantity: number, less = false) => ({
  lines: [
    { product: MANGO, quantity, less },
    { product: COW, quantity: 1, less: false },
  ],
  missing: [],
})
const quantities = () => parseCart(localStorage.getItem(CART_KEY)).map((item) => [item.productId, item.quantity])
beforeEach(() => changeCart(() => []))

it('an order that is ordered again is added to what the cart has of its products', () => {
  fillCart(again(2), { adds: true })
  expect(quantities()).toEqual([
    [1, 2],
    [2, 1],
  ])
  setQuantity(1, 10)
  expect(fillCart(again(2), { adds: true }).lines).toHaveLength(2)
  expect(quantities()).toEqual([
    [1, 12],
    [2, 1],
  ])
})

it('an order whose products go back into the cart is there once, however often it is asked for', () => {
  fillCart(again(2))
  fillCart(again(2))
  expect(quantities()).toEqual([
    [1, 2],
    [2, 1],
  ])
})

it('no more is added than there is, and none beyond the largest quantity', () => {
  fillCart(again(2), { adds: true })
  fillCart(again(2, true), { adds: true })
  expect(quantities()[0]).toEqual([1, 2])
  fillCart(again(3, true), { adds: true })
  expect(quantities()[0]).toEqual([1, 3])
  fillCart(again(9999), { adds: true })
  expect(quantities()[0]).toEqual([1, 3])
})
