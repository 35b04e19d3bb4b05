// Compares a stored cart with the current products.
//
// A cart may be days old. Names, pictures, charges and sizes are updated silently, a lower price with a note of both prices. A higher price
// is shown with the old one, and the shopper must accept it for its line. Products that cannot be ordered stay in the list, flagged.
import { toMilli } from '#lib/format/numbers.ts'
import { takaToPoisha, type Poisha } from '#lib/format/money.ts'
import type { ProductJson, ProductStatus, StatusUpdate } from '../catalog/types.ts'
import { isOrderable } from '../catalog/rules.ts'
import { discountOf, unitPriceAfterDiscount } from '../catalog/shown-price-rules.ts'
import { quantityMilli, withQuantity, type Cart, type CartItem } from './rules.ts'
import { cartItemOf } from './stored-rules.ts'

/** Current products by id. Null: the shop has no such product. Missing: not loaded yet. */
export type FreshProducts = ReadonlyMap<number, FreshProduct | null>

/** A product from its own route, or from a list, which has no `max_quantity`. */
export type FreshProduct = ProductJson & { max_quantity?: number | null }

/** A line as the cart page shows it. */
export interface FreshLine {
  /** The line with current names, charges and price. */
  item: CartItem
  /** Null until the product is loaded. */
  status: ProductStatus | null
  note: string
  deliveryDate: string | null
  /** The latest weight of an animal; null for other products, and until the product is loaded. */
  weightKg: number | null
  /** Taka per kg of an animal sold by live weight; missing like `weightKg`. */
  rate?: number | null
  /** It cannot be ordered now. */
  gone: boolean
  /** Stock in thousandths; null when not counted or not known. */
  stockMilli: number | null
  /** The price has risen and the shopper has not accepted it. */
  change: PriceChange | null
  /** The price has fallen. */
  reduction: PriceChange | null
}

/** Unit prices after discount. */
export interface PriceChange {
  before: Poisha
  now: Poisha
}

type Reductions = ReadonlyMap<number, PriceChange>

/** The lines of a cart in its order, updated from `fresh`. `taken`: price reductions that are in the cart already. */
export function refreshedLines(cart: Cart, fresh: FreshProducts, taken: Reductions = new Map()): FreshLine[] {
  return cart.map((item) => {
    const product = fresh.get(item.productId)
    const unknown = { item, note: '', deliveryDate: null, weightKg: null, stockMilli: null, change: null, reduction: null }
    if (product === undefined) return { ...unknown, status: null, gone: false }
    if (product === null) return { ...unknown, status: 'out-of-stock', gone: true }
    const now = acceptedItem(item, product)
    const price = { before: unitPrice(item), now: unitPrice(now) }
    const noted = taken.get(item.productId)
    return {
      item: now,
      status: product.status,
      note: product.note,
      deliveryDate: product.delivery_date,
      weightKg: product.weight_kg,
      rate: product.rate_per_kg,
      gone: !isOrderable(product.status),
      stockMilli: typeof product.max_quantity === 'number' ? toMilli(product.max_quantity) : null,
      change: price.now > price.before ? price : null,
      reduction: price.now < price.before ? price : noted?.now === price.now ? noted : null,
    }
  })
}

/** The price reductions since the products were put into the cart, by product id. */
export function reductionsOf(cart: Cart, fresh: FreshProducts): Reductions {
  return new Map(refreshedLines(cart, fresh).flatMap(({ item, reduction }) => (reduction ? [[item.productId, reduction] as const] : [])))
}

/** The cart with all updates that need no consent: everything except higher prices. The same object when nothing differs. */
export function withFreshTerms(cart: Cart, fresh: FreshProducts): Cart {
  return mapped(cart, (item) => {
    const product = fresh.get(item.productId)
    if (!product) return item
    const { basePrice, discount, discount_type } = item
    const now = acceptedItem(item, product)
    if (unitPrice(now) <= unitPrice(item)) return now
    return withQuantity({ ...now, basePrice, discount, discount_type }, quantityMilli(now))
  })
}

/** The cart with the current price of one product. The same object when nothing differs. */
export function withAcceptedPrice(cart: Cart, fresh: FreshProducts, productId: number): Cart {
  return mapped(cart, (item) => {
    const product = item.productId === productId ? fresh.get(productId) : null
    return product ? acceptedItem(item, product) : item
  })
}

/** Applies a status refresh. Products whose price or discount changed are `stale` and must be loaded again. */
export function withStatuses(
  fresh: FreshProducts,
  requested: readonly number[],
  received: readonly StatusUpdate[],
): { fresh: FreshProducts; stale: number[] } {
  const byId = new Map(received.map((row) => [row.id, row]))
  const next = new Map(fresh)
  const stale: number[] = []
  for (const id of requested) {
    const row = byId.get(id)
    const known = fresh.get(id)
    if (row === undefined) next.set(id, null)
    else if (!known || !sameTerms(known, row)) stale.push(id)
    else next.set(id, { ...known, ...row })
  }
  return { fresh: next, stale }
}

// A response with the specified fields only has no discount.
function sameTerms(known: ProductJson, { price, discount = known.discount, discount_type = known.discount_type }: StatusUpdate): boolean {
  return known.price === price && known.discount === discount && known.discount_type === discount_type
}

function acceptedItem(item: CartItem, product: ProductJson): CartItem {
  return withQuantity(cartItemOf(product), product.is_unique ? 1000 : quantityMilli(item))
}

function unitPrice(item: CartItem): Poisha {
  return unitPriceAfterDiscount(takaToPoisha(item.basePrice), discountOf(item.discount, item.discount_type))
}

function mapped(cart: Cart, change: (item: CartItem) => CartItem): Cart {
  const next = cart.map((item) => {
    const changed = change(item)
    return isSame(changed, item) ? item : changed
  })
  return next.every((item, index) => item === cart[index]) ? cart : next
}

// Compared by field: a stored item may have its fields in another order.
function isSame(one: CartItem, other: CartItem): boolean {
  return (Object.keys(one) as (keyof CartItem)[]).every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))
}
