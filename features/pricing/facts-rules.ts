import { takaToPoisha } from '#lib/money.ts'
import type { Poisha } from '#lib/money.ts'
import { parseSizes } from '../catalog/quantity-rules.ts'
import type { Discount } from '../catalog/shown-price-rules.ts'
import type { DiscountType, ProductJson } from '../catalog/types.ts'
import type { ProductFacts } from './quote-rules.ts'

/** A discount as JSON has it: percent, or taka a unit. */
export function discountOf(value: number | null, kind: DiscountType | null): Discount | null {
  return value === null || kind === null ? null : { kind, value: Math.round(value * 100) }
}

/** What the browser knows of a product, as the rules want it; `stockMilli` only where it is known. */
export function factsOfProduct(product: ProductJson, stockMilli: number | null = null): ProductFacts {
  return {
    id: product.id,
    name: product.product_type,
    status: product.status,
    basePrice: takaToPoisha(product.price),
    discount: discountOf(product.discount, product.discount_type),
    sizesMilli: parseSizes(product.size),
    isUnique: product.is_unique,
    stockMilli,
    deliveryGroup: product.delivery_group,
    shipping: takaToPoisha(product.shipping_cost),
    advance: advanceTerms(product.advance_minimum, product.advance_percentage, product.advance_round_figure),
    couponApplicable: product.coupon_applicable,
    codAllowed: product.cod_allowed,
  }
}

/** Advance terms as JSON has them: taka, percent of the line, taka. */
export function advanceTerms(
  minimum: number,
  percentage: number,
  roundFigure: number,
): { minimum: Poisha; percentBp: number; roundTo: Poisha } {
  return { minimum: takaToPoisha(minimum), percentBp: Math.round(percentage * 100), roundTo: takaToPoisha(roundFigure) }
}
