import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { bookedRatePerKg } from '#features/cattle/rules.ts'
import type { Poisha } from '#lib/format/money.ts'

interface PricedLine {
  productId: number
  quantityMilli: number
  basePrice: Poisha
  price: Poisha
  total: Poisha
  advance: Poisha
}

/**
 * The row of a new order line. It freezes the product's current name, unit, tag and weight, and the rate per kg of an animal sold by live
 * weight.
 */
export function newLineRow(position: number, line: PricedLine, product: SoldProductRow | undefined) {
  const grams = product?.sold_by_live_weight ? product.weight_grams : null
  return {
    position,
    product_id: line.productId,
    name_en: product?.name_en,
    name_bn: product?.name_bn,
    unit: product?.unit,
    quantity_milli: line.quantityMilli,
    base_price_poisha: line.basePrice,
    price_poisha: line.price,
    line_total_poisha: line.total,
    advance_poisha: line.advance,
    tag_number: product?.tag_number ?? null,
    booked_grams: grams,
    booked_rate_poisha: bookedRatePerKg(line.price, grams),
  }
}
