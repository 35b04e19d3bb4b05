// The price of a unit after discount, and of a quantity.
//
// The unit price is in whole taka, rounded half up, and is multiplied by the quantity after rounding. Cards, sorted lists, the shop, the admin and the
// POS use the same function.
import { poisha, share, shareInTaka, takaToPoisha, WHOLE_PERCENT, wholeTaka, ZERO, type Poisha } from '#lib/format/money.ts'
import type { DiscountType, ProductJson } from './types.ts'

/** A percentage in hundredths of a percent, or poisha off each unit. */
export interface Discount {
  kind: DiscountType
  value: number
}

/** A discount from JSON values: percent, or taka per unit. */
export function discountOf(value: number | null, kind: DiscountType | null): Discount | null {
  return value === null || kind === null ? null : { kind, value: Math.round(value * 100) }
}

type StoredDiscount = { discount_kind: Discount['kind'] | null; discount_value: number | null }

/** The discount of a row of the database. */
export function storedDiscount({ discount_kind: kind, discount_value: value }: StoredDiscount): Discount | null {
  return kind === null ? null : { kind, value: value ?? 0 }
}

/** The fixed discount of a row in poisha, zero without one: no price may be below it. */
export function fixedDiscount({ discount_kind: kind, discount_value: value }: StoredDiscount): number {
  return kind === 'fixed' ? (value ?? 0) : 0
}

/** The price of a unit after discount, and without it when that is higher. */
export function pricesOf(product: Pick<ProductJson, 'price' | 'discount' | 'discount_type'>): { now: Poisha; before: Poisha | null } {
  const before = takaToPoisha(product.price)
  const now = unitPriceAfterDiscount(before, discountOf(product.discount, product.discount_type))
  return { now, before: now < before ? before : null }
}

/** The price of a unit after discount: whole taka, half up, between zero and the price. Without a discount the price itself. */
export function unitPriceAfterDiscount(price: Poisha, discount: Discount | null): Poisha {
  if (discount === null || discount.value <= 0) return price
  if (discount.kind === 'fixed') return between(ZERO, wholeTaka(Math.max(0, price - discount.value)), price)
  const left = Math.max(0, WHOLE_PERCENT - discount.value)
  return between(ZERO, shareInTaka(price, left, WHOLE_PERCENT), price)
}

/** A unit price times a quantity in thousandths, to the poisha, half up. */
export function lineTotal(unitPrice: Poisha, quantityMilli: number): Poisha {
  return poisha(share(quantityMilli, unitPrice, 1000))
}

/** The price of a quantity (in thousandths) after discount, as the cart charges it. */
export function quantityPrice(product: Parameters<typeof pricesOf>[0], quantityMilli: number): Poisha {
  return lineTotal(pricesOf(product).now, quantityMilli)
}

function between(low: Poisha, amount: Poisha, high: Poisha): Poisha {
  return poisha(Math.max(low, Math.min(amount, high)))
}
