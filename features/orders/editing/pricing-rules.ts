// Prices orders that staff create or edit.
//
// A new line costs the list price less the product's discount. An ordered line keeps its price when the list changes. Staff with the
// permission may set other prices and a discount on the whole order, up to the total of the lines. The delivery charge is the highest among
// the products unless staff set it.
import { MAX_PRICE } from '#features/catalog/limits.ts'
import { isPossibleQuantity } from '#features/catalog/quantity-rules.ts'
import { MAX_LINE, type QuoteProduct } from '#features/pricing/quote-rules.ts'
import { lineTotal, unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import { lineAdvance } from '#features/pricing/rules.ts'
import { poisha, sum, ZERO, type Poisha } from '#lib/format/money.ts'

/** A line of an existing order, with the prices of ordering. */
export interface FrozenLine {
  productId: number
  quantityMilli: number
  basePrice: Poisha
  price: Poisha
  total: Poisha
  /** The discount on this line alone, a part of the discount on the whole order. */
  discount: Poisha
  advance: Poisha
  unit: string
  isAnimal: boolean
  /** The weight at booking of an animal sold by live weight. */
  bookedGrams: number | null
  /** The delivery date of the product; null without one. */
  deliveryOn: string | null
}

/** A product with its current prices. */
export type AdminProduct = QuoteProduct & { unit: string }

/** A requested line. A null price means the usual price. */
export interface NewOrderLine {
  productId: number
  quantityMilli: number
  price: Poisha | null
  /** The usual price that staff saw when they entered the line; absent where it is not known. */
  seenPrice?: Poisha | undefined
  /** Sold without network and handed over in this quantity: packs and unit may have changed since. */
  isHandedOver?: boolean | undefined
}

export interface AdminLine {
  productId: number
  quantityMilli: number
  /** At least the price: a price above the list price becomes the base price. */
  basePrice: Poisha
  price: Poisha
  baseTotal: Poisha
  total: Poisha
  advance: Poisha
  /** Staff set a price other than the usual one. */
  isPriceSet: boolean
  isHandedOver?: boolean | undefined
}

export type LineProblem = 'unknown-product' | 'listed-twice' | 'quantity-not-allowed' | 'price-too-high' | PriceProblem
/** `price-changed`: the usual price is another one than staff saw, and they set none. */
export type PriceProblem = 'price-not-yours' | 'price-changed'

/** Prices one line. `product`: the product now; `frozen`: the line that the order already has. At least one is needed. */
export function priceAdminLine(
  requested: NewOrderLine,
  product: AdminProduct | null,
  frozen: FrozenLine | null,
  mayPrice: boolean,
):
  | { ok: true; line: AdminLine }
  | { ok: false; problem: Exclude<LineProblem, PriceProblem> }
  | { ok: false; problem: PriceProblem; usual: Poisha } {
  if (!product && !frozen) return { ok: false, problem: 'unknown-product' }
  const { list, usual } = usualPrice(product, frozen)
  const price = requested.price ?? usual
  if (!isQuantityAllowed(requested, product, frozen)) return { ok: false, problem: 'quantity-not-allowed' }
  if (price > MAX_PRICE || (price / 1000) * requested.quantityMilli > MAX_LINE) return { ok: false, problem: 'price-too-high' }
  if (price !== usual && !mayPrice) return { ok: false, problem: 'price-not-yours', usual }
  if (price !== usual && !frozen && price === requested.seenPrice) return { ok: false, problem: 'price-changed', usual }
  const basePrice = poisha(Math.max(list, price))
  const total = lineTotal(price, requested.quantityMilli)
  const advance = advanceOf({ quantityMilli: requested.quantityMilli, total }, product, frozen)
  const baseTotal = lineTotal(basePrice, requested.quantityMilli)
  return {
    ok: true,
    line: { ...requested, basePrice, price, baseTotal, total, advance, isPriceSet: price !== usual },
  }
}

/** The base price and the price of a line without a set price: those of ordering, else the current ones. */
function usualPrice(product: AdminProduct | null, frozen: FrozenLine | null): { list: Poisha; usual: Poisha } {
  if (frozen) return { list: frozen.basePrice, usual: frozen.price }
  const list = product?.basePrice ?? ZERO
  return { list, usual: unitPriceAfterDiscount(list, product?.discount ?? null) }
}

/** The advance of a line: that of ordering while the line is unchanged, else by the product's current rule. */
function advanceOf(line: { quantityMilli: number; total: Poisha }, product: AdminProduct | null, frozen: FrozenLine | null): Poisha {
  const isUnchanged = frozen?.total === line.total && frozen.quantityMilli === line.quantityMilli
  return isUnchanged || !product ? poisha(Math.min(frozen?.advance ?? 0, line.total)) : lineAdvance(line.total, product.advance)
}

/** The ordered quantity is always allowed, and that of a product that was handed over; an animal is one. */
function isQuantityAllowed(
  { quantityMilli: milli, isHandedOver = false }: NewOrderLine,
  product: AdminProduct | null,
  frozen: FrozenLine | null,
): boolean {
  if (frozen?.quantityMilli === milli || (isHandedOver && product?.isUnique === false)) return true
  return isPossibleQuantity(milli, product ?? { isUnique: frozen?.isAnimal ?? false, sizesMilli: [], unit: frozen?.unit ?? '' })
}

/**
 * The charge of an order in its area, of which `one` delivery costs that much: a coupon lowers the charge of one delivery, as in `quoteOrder`.
 * `saving`: what the coupon takes off.
 */
export function chargeUnderCoupon(
  one: Poisha,
  { maxShipping, isSplit }: { maxShipping: Poisha | null; isSplit: boolean },
): { amount: Poisha; saving: Poisha } {
  const first = Math.min(one, maxShipping ?? one)
  return { amount: poisha(first + (isSplit ? one : 0)), saving: poisha(one - first) }
}

/**
 * The charge that an edit brings: that of a new area; of one delivery where the edit leaves one of two, at most the charge so far; of two where it
 * adds the second again, at least the charge so far; null for none. `usual`: the charge in the area, null while it is unknown.
 */
export function followingCharge(
  usual: { amount: Poisha } | null,
  { isMoved, wasSplit, isSplit, before }: { isMoved: boolean; wasSplit: boolean; isSplit: boolean; before: Poisha },
): Poisha | null {
  if (usual === null) return null
  if (isMoved) return usual.amount
  if (isSplit === wasSplit) return null
  return poisha(isSplit ? Math.max(usual.amount, before) : Math.min(usual.amount, before))
}

/**
 * The delivery charge of an edited order [M3]. The edit brings its own charge, unless staff set one. An empty charge (null) keeps the
 * previous one. `following`: by `followingCharge`. An HTML form sends every field, so there an unchanged charge was not set.
 */
export function editedShipping(
  requested: Poisha | null | undefined,
  { before, following, isForm }: { before: Poisha; following: Poisha | null; isForm: boolean },
): Poisha {
  if (requested === null) return before
  const isSet = requested !== undefined && !(isForm && requested === before)
  return isSet ? requested : (following ?? before)
}

export interface AdminSums {
  subtotal: Poisha
  shipping: Poisha
  /** The whole discount: of the lines, and of the whole order. */
  discount: Poisha
  total: Poisha
}

/** Adds up an order; null when the order discount exceeds the total of its lines. */
export function adminSums(lines: readonly AdminLine[], shipping: Poisha, orderDiscount: Poisha): AdminSums | null {
  const productsTotal = sum(lines.map((line) => line.total))
  if (orderDiscount > productsTotal) return null
  const subtotal = sum(lines.map((line) => line.baseTotal))
  const discount = poisha(subtotal - productsTotal + orderDiscount)
  return { subtotal, shipping, discount, total: poisha(subtotal + shipping - discount) }
}

/** The discount on the whole order: the discount less that of its lines. `productsTotal`: the total of the lines. */
export function orderDiscountOf(sums: { subtotal: Poisha; discount: Poisha; productsTotal: Poisha }): Poisha {
  return poisha(sums.discount - (sums.subtotal - sums.productsTotal))
}
