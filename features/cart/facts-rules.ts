import { takaToPoisha } from '#lib/format/money.ts'
import { parseSizes } from '../catalog/quantity-rules.ts'
import type { ProductStatus } from '../catalog/types.ts'
import { discountOf } from '../catalog/shown-price-rules.ts'
import { advanceTerms } from '../pricing/facts-rules.ts'
import type { ProductFacts } from '../pricing/quote-rules.ts'
import { quantityMilli } from './rules.ts'
import type { Cart, CartItem } from './rules.ts'

/** What a cart line says of its product, with the status the shop last gave; the sums of a cart come from `quoteOrder` of these. */
export function toItemFacts(item: CartItem, status: ProductStatus = 'in-stock'): ProductFacts {
  return {
    id: item.productId,
    name: item.productName,
    status,
    basePrice: takaToPoisha(item.basePrice),
    discount: discountOf(item.discount, item.discount_type),
    sizesMilli: parseSizes(item.size),
    isUnique: item.isUnique,
    stockMilli: null,
    deliveryGroup: item.deliveryGroup,
    shipping: takaToPoisha(item.shippingCost),
    advance: advanceTerms(item.advanceMinimum, item.advancePercentage, item.advanceRoundFigure),
    couponApplicable: item.couponApplicable,
    codAllowed: item.codAllowed,
  }
}

/** The lines of a cart as an order names them. */
export function chosenLines(cart: Cart): { productId: number; quantityMilli: number }[] {
  return cart.map((item) => ({ productId: item.productId, quantityMilli: quantityMilli(item) }))
}
