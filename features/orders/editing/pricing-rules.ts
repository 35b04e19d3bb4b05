// What an order costs that the staff take or change.
//
// A line begins at the list price less the product's discount and may be set otherwise by those who may; what the customer was once
// promised stays when the list changes. The admin may take a sum off the whole order besides, never more than its goods cost. The
// delivery charge is the dearest among the goods unless the admin sets it.
import { MAX_PRICE } from '#features/catalog/limits.ts'
import { isReachable, MAX_QUANTITY_MILLI } from '#features/catalog/quantity-rules.ts'
import type { ProductFacts } from '#features/pricing/quote-rules.ts'
import { unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import { lineAdvance, lineTotal } from '#features/pricing/rules.ts'
import { poisha, sum, ZERO } from '#lib/format/money.ts'
import type { Poisha } from '#lib/format/money.ts'

/** A line as it was written when it was ordered. */
export interface FrozenLine {
  productId: number
  quantityMilli: number
  basePrice: Poisha
  price: Poisha
  total: Poisha
  advance: Poisha
  unit: string
  isAnimal: boolean
  /** The weight at booking of an animal sold by live weight. */
  bookedGrams: number | null
}

/** A product as the shop sells it now. */
export type AdminProduct = ProductFacts & { unit: string }

/** A line as the admin wants it; a price of null leaves it to the shop. */
export interface NewOrderLine {
  productId: number
  quantityMilli: number
  price: Poisha | null
}

export interface AdminLine {
  productId: number
  quantityMilli: number
  /** Never below the price: where more is asked than the list says, that is the base. */
  basePrice: Poisha
  price: Poisha
  baseTotal: Poisha
  total: Poisha
  advance: Poisha
  /** The price differs from what the shop or the order itself would ask. */
  priceIsSet: boolean
}

export type LineProblem = 'unknown-product' | 'listed-twice' | 'quantity-not-allowed' | 'price-too-high' | 'price-not-yours'

// A hundred lines of this much still add up exactly.
const MAX_LINE = 1e13

/** Prices one line. `frozen` is what the order has of this product, `product` what the shop sells now; at least one is there. */
export function priceAdminLine(
  wanted: NewOrderLine,
  product: AdminProduct | null,
  frozen: FrozenLine | null,
  mayPrice: boolean,
): { ok: true; line: AdminLine } | { ok: false; problem: LineProblem } {
  if (!product && !frozen) return { ok: false, problem: 'unknown-product' }
  if (frozen?.quantityMilli !== wanted.quantityMilli && !isPossibleQuantity(wanted.quantityMilli, product, frozen))
    return { ok: false, problem: 'quantity-not-allowed' }
  const list = frozen?.basePrice ?? product?.basePrice ?? ZERO
  const usual = frozen?.price ?? unitPriceAfterDiscount(list, product?.discount ?? null)
  const price = wanted.price ?? usual
  if (price > MAX_PRICE || (price / 1000) * wanted.quantityMilli > MAX_LINE) return { ok: false, problem: 'price-too-high' }
  if (price !== usual && !mayPrice) return { ok: false, problem: 'price-not-yours' }
  const basePrice = poisha(Math.max(list, price))
  const total = lineTotal(price, wanted.quantityMilli)
  const isAsBefore = frozen !== null && frozen.total === total && frozen.quantityMilli === wanted.quantityMilli
  const advance = isAsBefore || !product ? poisha(Math.min(frozen?.advance ?? 0, total)) : lineAdvance(total, product.advance)
  const baseTotal = lineTotal(basePrice, wanted.quantityMilli)
  return {
    ok: true,
    line: { ...wanted, basePrice, price, baseTotal, total, advance, priceIsSet: price !== usual },
  }
}

/** Animals are one; goods with pack sizes go in sums of those, as in the shop. Without sizes kilograms and dozens are weighed out as asked. */
function isPossibleQuantity(milli: number, product: AdminProduct | null, frozen: FrozenLine | null): boolean {
  if (!Number.isSafeInteger(milli) || milli <= 0 || milli > MAX_QUANTITY_MILLI) return false
  if (product?.isUnique ?? frozen?.isAnimal) return milli === 1000
  if (product !== null && product.sizesMilli.length > 0) return isReachable(product.sizesMilli, milli)
  const unit = product?.unit ?? frozen?.unit
  return unit === 'kg' || unit === 'dozen' || milli % 1000 === 0
}

/**
 * The delivery charge of an edited order [M3]. A new area brings its own charge, unless the staff set one. An emptied charge (null) keeps
 * the old one. `ofNewArea` is null while the area stays. A form sends every field as it was filled: there an unchanged charge was not set.
 */
export function editedShipping(
  sent: Poisha | null | undefined,
  { before, ofNewArea, isForm }: { before: Poisha; ofNewArea: Poisha | null; isForm: boolean },
): Poisha {
  if (sent === null) return before
  const isSet = sent !== undefined && !(isForm && sent === before)
  return isSet ? sent : (ofNewArea ?? before)
}

export interface AdminSums {
  subtotal: Poisha
  shipping: Poisha
  /** Everything off: what lines cost less than their base, and what is off the whole order. */
  discount: Poisha
  total: Poisha
}

/** Adds an order up; null when more is taken off than its goods cost. */
export function adminSums(lines: readonly AdminLine[], shipping: Poisha, orderDiscount: Poisha): AdminSums | null {
  const goods = sum(lines.map((line) => line.total))
  if (orderDiscount > goods) return null
  const subtotal = sum(lines.map((line) => line.baseTotal))
  const discount = poisha(subtotal - goods + orderDiscount)
  return { subtotal, shipping, discount, total: poisha(subtotal + shipping - discount) }
}
