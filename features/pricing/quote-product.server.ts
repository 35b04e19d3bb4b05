import { isInCategory } from '#features/catalog/category-keys.ts'
import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { storedDiscount } from '#features/catalog/shown-price-rules.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { poisha } from '#lib/format/money.ts'
import type { QuoteProduct } from './quote-rules.ts'

/** A product row as `quoteOrder` takes it. */
export function toQuoteProduct(row: SoldProductRow, lang: Lang): QuoteProduct {
  return {
    id: row.id,
    name: lang === 'bn' ? row.name_bn : row.name_en,
    status: row.status,
    basePrice: poisha(row.price_poisha),
    discount: storedDiscount(row),
    sizesMilli: row.sizes_milli,
    isUnique: row.is_unique,
    stockMilli: row.stock_milli,
    deliveryGroup: row.delivery_group,
    shipping: poisha(row.shipping_poisha),
    deliveryOn: row.delivery_on,
    isKurbani: isInCategory(row, 'kurbani'),
    advance: {
      minimum: poisha(row.advance_minimum_poisha),
      percentBp: row.advance_percent_bp,
      roundTo: poisha(row.advance_round_poisha),
    },
    couponApplicable: row.coupon_applicable,
    codAllowed: row.cod_allowed,
  }
}
