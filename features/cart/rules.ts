// The cart of a browser: one line a product, stored as a list under `cartData` with the specification's field names, money in taka.
//
// A product that is already in the cart is not added again; its quantity is changed in the cart. Plus and minus step through the sums of
// its sizes. An animal has quantity 1. Any content of the browser's storage is read as a cart, possibly an empty one.
import { toMilli } from '#lib/format/numbers.ts'
import { ok, refused, type Result } from '#lib/result.ts'
import { initialQuantity, isReachable, nextQuantity, parseSizes, previousQuantity, readQuantity } from '../catalog/quantity-rules.ts'
import type { CategoryJson, DeliveryGroup, DiscountType } from '../catalog/types.ts'

export const CART_KEY = 'cartData'

/** Products added before hydration, as a list of `[page load, ProductJson]`; written by server/page/bootstrap-script.ts. */
export const PENDING_KEY = 'cartPending'

/** The maximum number of lines of a cart and of an order. */
export const MAX_LINES = 100

export interface CartItem {
  productId: number
  productName: string
  productImage: string
  basePrice: number
  /** basePrice times quantity. */
  productPrice: number
  /** In units, with at most three decimals. */
  quantity: number
  size: string | null
  discount: number | null
  discount_type: DiscountType | null
  Unit: string
  couponApplicable: boolean
  advanceMinimum: number
  advancePercentage: number
  advanceRoundFigure: number
  shippingCost: number
  categories: CategoryJson[]
  isUnique: boolean
  deliveryGroup: DeliveryGroup
  codAllowed: boolean
  tagNumber: string | null
}

export type Cart = readonly CartItem[]

/** The number in the badge: lines, not quantities. */
export function cartCount(cart: Cart): number {
  return cart.length
}

/** The line of a product, or null. */
export function findItem(cart: Cart, productId: number): CartItem | null {
  return cart.find((item) => item.productId === productId) ?? null
}

/** Adds a new item at the end. */
export function addItem(cart: Cart, item: CartItem): Result<Cart, 'already-in-cart' | 'cart-full'> {
  if (findItem(cart, item.productId) !== null) return refused('already-in-cart')
  return cart.length >= MAX_LINES ? refused('cart-full') : ok([...cart, item])
}

/** The cart without a product. */
export function removeItem(cart: Cart, productId: number): Cart {
  return cart.filter((item) => item.productId !== productId)
}

/** Sets the quantity (in units) of a product, if it can be ordered in that quantity. */
export function updateQuantity(cart: Cart, productId: number, quantity: number): Result<Cart, 'not-in-cart' | 'quantity-not-allowed'> {
  const item = findItem(cart, productId)
  if (item === null) return refused('not-in-cart')
  const milli = readQuantity(quantity)
  if (milli === null || !isAllowed(item, milli)) return refused('quantity-not-allowed')
  return ok(cart.map((other) => (other === item ? withQuantity(item, milli) : other)))
}

/** The item with another quantity, in thousandths, and its price with it. */
export function withQuantity(item: CartItem, milli: number): CartItem {
  return { ...item, quantity: milli / 1000, productPrice: Math.round((item.basePrice * milli) / 10) / 100 }
}

/** An item's quantity in thousandths. */
export function quantityMilli(item: Pick<CartItem, 'quantity'>): number {
  return toMilli(item.quantity)
}

/** The quantity (in units) after plus; the current one when there is no larger one. */
export function quantityAfterPlus(item: CartItem): number {
  return item.isUnique ? item.quantity : nextQuantity(parseSizes(item.size), quantityMilli(item)) / 1000
}

/** The quantity (in units) after minus, never below the smallest size. */
export function quantityAfterMinus(item: CartItem): number {
  return item.isUnique ? item.quantity : previousQuantity(parseSizes(item.size), quantityMilli(item)) / 1000
}

/** Whether an item can be ordered in a quantity, in thousandths. */
export function isAllowed(item: Pick<CartItem, 'isUnique' | 'size'>, milli: number): boolean {
  return item.isUnique ? milli === 1000 : isReachable(parseSizes(item.size), milli)
}

/** The initial quantity of an item, in thousandths. */
export function firstQuantity(item: Pick<CartItem, 'isUnique' | 'size'>): number {
  return item.isUnique ? 1000 : initialQuantity(parseSizes(item.size))
}
