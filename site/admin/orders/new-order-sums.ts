// The sums of a new order as its form shows them.
import type { AreaJson } from '#features/catalog/types.ts'
import { lineAdvance } from '#features/pricing/rules.ts'
import { parseAmount, poisha, type Poisha, poishaToTaka, sum, ZERO } from '#lib/format/money.ts'
import { areaShipping, lineSum, type LineValue, type NewOrderValues, type PricedCoupon, typedSums } from './order-values.ts'

/** A new order added up with its coupon and payment. A coupon replaces the discount. */
export function newOrderSums(values: NewOrderValues, areas: readonly AreaJson[], coupon: PricedCoupon | null) {
  const typed = typedSums(values, areaShipping(values, areas) ?? ZERO)
  // The coupon's discount is that of the lines as they were: it is priced again after a change.
  const discount = coupon ? poisha(Math.min(coupon.discount, typed.goods)) : typed.discount
  const shipping = poisha(Math.max(0, typed.shipping - (coupon?.deliverySaved ?? 0)))
  const total = poisha(typed.goods + shipping - discount)
  const paid = parseAmount(values.advance_amount) ?? ZERO
  return { goods: typed.goods, discount, shipping, total, paid, due: poisha(total - paid), advance: typedAdvance(values.products) }
}

/** The advance required for the lines, as far as it is known. */
export function typedAdvance(lines: readonly LineValue[]): Poisha {
  // A draft of an earlier version holds lines without terms.
  return sum(lines.map((line) => (line.advance ? lineAdvance(lineSum(line) ?? ZERO, line.advance) : ZERO)))
}

/** The shown total in taka; undefined while the form does not have all of it. The shop refuses an order with another total. */
export function shownTotal(values: NewOrderValues, areas: readonly AreaJson[], coupon: PricedCoupon | null): number | undefined {
  const { products, shipping_cost, discount, is_collection: isCollection } = values
  const hasLines = products.every((line) => line.product_id !== '' && lineSum(line) !== null)
  const hasCharge = isCollection || (shipping_cost.trim() === '' ? areaShipping(values, areas) : parseAmount(shipping_cost)) !== null
  const hasDiscount = values.coupon.trim() === '' ? discount.trim() === '' || parseAmount(discount) !== null : coupon !== null
  return hasLines && hasCharge && hasDiscount ? poishaToTaka(newOrderSums(values, areas, coupon).total) : undefined
}
