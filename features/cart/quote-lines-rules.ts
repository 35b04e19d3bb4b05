import { takaToPoisha } from '#lib/format/money.ts'
import { isInCategory } from '../catalog/category-keys.ts'
import { parseSizes } from '../catalog/quantity-rules.ts'
import type { ProductStatus } from '../catalog/types.ts'
import { discountOf } from '../catalog/shown-price-rules.ts'
import { advanceTerms } from '../pricing/advance-terms-rules.ts'
import type { QuoteProduct } from '../pricing/quote-rules.ts'
import { quantityMilli, type Cart, type CartItem } from './rules.ts'

/** The product of a cart line as `quoteOrder` takes it, with the status of the last refresh. `quoteOrder` computes the totals of a cart. */
export function cartItemToQuoteProduct(item: CartItem, status: ProductStatus = 'in-stock'): QuoteProduct {
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
    isKurbani: isInCategory(item, 'kurbani'),
    shipping: takaToPoisha(item.shippingCost),
    advance: advanceTerms(item.advanceMinimum, item.advancePercentage, item.advanceRoundFigure),
    couponApplicable: item.couponApplicable,
    codAllowed: item.codAllowed,
  }
}

/** Product ids and quantities of a cart, as `quoteOrder` and an order take them. */
export function chosenLines(cart: Cart): { productId: number; quantityMilli: number }[] {
  return cart.map((item) => ({ productId: item.productId, quantityMilli: quantityMilli(item) }))
}

/** The cart without the products of an order: what another tab added meanwhile stays. */
export function withoutOrdered(cart: Cart, ordered: readonly { product_id: number }[]): Cart {
  return cart.filter((item) => !ordered.some((line) => line.product_id === item.productId))
}
