// The cart beside what the shop says now.
//
// A cart may be days old. Names, pictures, charges and sizes are taken over silently; a price that has changed is shown, old and
// new, and counts only when the shopper has accepted it. What cannot be had any more stays in the list, marked, until it is removed.
import { takaToPoisha } from '#lib/money.ts'
import type { Poisha } from '#lib/money.ts'
import type { ProductJson, ProductStatus, StatusUpdateJson } from '../catalog/types.ts'
import { isOrderable } from '../pricing/quote-rules.ts'
import { discountOf, unitPriceAfterDiscount } from '../catalog/shown-price-rules.ts'
import { quantityMilli, withQuantity } from './rules.ts'
import type { Cart, CartItem } from './rules.ts'
import { cartItemOf } from './stored-rules.ts'

/** What the shop said of products: by id; null when it knows none such (any more). A product that was not asked for yet is missing. */
export type FreshProducts = ReadonlyMap<number, FreshProduct | null>

/** A product as its own call gives it, or as a list does: then how much is left is not known. */
export type FreshProduct = ProductJson & { max_quantity?: number | null }

/** A line as the cart page shows it. */
export interface FreshLine {
  /** Priced as the shop prices it now. */
  item: CartItem
  /** Unknown until the shop has answered. */
  status: ProductStatus | null
  note: string
  deliveryDate: string | null
  /** The latest weight of an animal sold by live weight; null for everything else, and until the shop has answered. */
  weightKg: number | null
  /** It cannot be ordered now. */
  gone: boolean
  /** How much is left, in thousandths; null when not counted or not known. */
  stockMilli: number | null
  /** Unit prices after discount, when the price has changed and was not accepted yet. */
  change: { before: Poisha; now: Poisha } | null
}

/** The lines of a cart in its order, beside what the shop said. */
export function freshLines(cart: Cart, fresh: FreshProducts): FreshLine[] {
  return cart.map((item) => {
    const product = fresh.get(item.productId)
    if (!product) {
      const isKnown = product === null
      const nothing = { note: '', deliveryDate: null, weightKg: null, stockMilli: null, change: null }
      return { item, status: isKnown ? 'out-of-stock' : null, gone: isKnown, ...nothing }
    }
    const now = acceptedItem(item, product)
    const changed = !samePrice(item, product)
    return {
      item: now,
      status: product.status,
      note: product.note,
      deliveryDate: product.delivery_date,
      weightKg: product.weight_kg,
      gone: !isOrderable(product.status),
      stockMilli: typeof product.max_quantity === 'number' ? Math.round(product.max_quantity * 1000) : null,
      change: changed ? { before: unitPrice(item), now: unitPrice(now) } : null,
    }
  })
}

/** The cart with everything taken over that needs no consent: all but prices and discounts. The same cart when nothing differs. */
export function withFreshTerms(cart: Cart, fresh: FreshProducts): Cart {
  return mapped(cart, (item) => {
    const product = fresh.get(item.productId)
    if (!product) return item
    const { basePrice, discount, discount_type } = item
    const now = acceptedItem(item, product)
    return withQuantity({ ...now, basePrice, discount, discount_type }, quantityMilli(now))
  })
}

/** The cart at the prices of now. The same cart when nothing differs. */
export function withAcceptedPrices(cart: Cart, fresh: FreshProducts): Cart {
  return mapped(cart, (item) => {
    const product = fresh.get(item.productId)
    return product ? acceptedItem(item, product) : item
  })
}

/** Takes a status refresh over: what changed in price or discount must be read whole again (`stale`), the rest is brought up to date. */
export function withStatuses(
  fresh: FreshProducts,
  asked: readonly number[],
  answered: readonly StatusUpdateJson[],
): { fresh: FreshProducts; stale: number[] } {
  const byId = new Map(answered.map((row) => [row.id, row]))
  const next = new Map(fresh)
  const stale: number[] = []
  for (const id of asked) {
    const row = byId.get(id)
    const known = fresh.get(id)
    if (row === undefined) next.set(id, null)
    else if (!known || !sameTerms(known, row)) stale.push(id)
    else next.set(id, { ...known, status: row.status, note: row.note, delivery_date: row.delivery_date })
  }
  return { fresh: next, stale }
}

function sameTerms(known: StatusUpdateJson | ProductJson, row: StatusUpdateJson): boolean {
  return known.price === row.price && known.discount === row.discount && known.discount_type === row.discount_type
}

function acceptedItem(item: CartItem, product: ProductJson): CartItem {
  return withQuantity(cartItemOf(product), product.is_unique ? 1000 : quantityMilli(item))
}

function samePrice(item: CartItem, product: ProductJson): boolean {
  const sameDiscount = item.discount === product.discount && item.discount_type === product.discount_type
  return item.basePrice === product.price && (sameDiscount || unitPrice(item) === unitPrice(cartItemOf(product)))
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

// Field by field: a stored item may have its fields in another order.
function isSame(one: CartItem, other: CartItem): boolean {
  return (Object.keys(one) as (keyof CartItem)[]).every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))
}
