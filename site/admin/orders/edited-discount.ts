import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { couponDiscountAfterEdit } from '#features/orders/editing/coupon-edit-rules.ts'
import { parseAmount, poishaToTaka, takaToPoisha } from '#lib/format/money.ts'
import { latinDigits, toMilli } from '#lib/format/numbers.ts'
import { lineSum, type LineValue, type OrderValues } from './order-values.ts'

/** The discount that a saved order will have: as typed, or what its coupon gives for the changed lines. */
export function editedDiscount({ discount, products }: Pick<OrderValues, 'discount' | 'products'>, order: AdminOrder): string {
  const saved = takaToPoisha(order.discount)
  if (!order.coupon || saved === 0 || parseAmount(discount) !== saved) return discount
  const lines = products.map((line) => editedLine(line, order))
  if (lines.some(({ isPriceSet }) => isPriceSet)) return discount
  const before = order.lines.map((line) => ({
    productId: line.product_id,
    quantityMilli: toMilli(line.quantity),
    basePrice: takaToPoisha(line.base_price),
    total: takaToPoisha(line.line_total),
  }))
  const counted = lines.flatMap(({ line }) => (line ? [line] : []))
  return String(poishaToTaka(couponDiscountAfterEdit(order.coupon, saved, before, counted)))
}

/** A typed line; null while it is invalid or was not ordered. An ordered line whose price differs from the saved one has a set price. */
function editedLine(typed: LineValue, order: AdminOrder) {
  const saved = order.lines.find(({ product_id }) => product_id === typed.product_id)
  const total = lineSum(typed)
  if (!saved || total === null) return { isPriceSet: false, line: null }
  const quantityMilli = toMilli(Number(latinDigits(typed.quantity.trim())))
  const line = { productId: saved.product_id, quantityMilli, basePrice: takaToPoisha(saved.base_price), total }
  return { isPriceSet: parseAmount(typed.price_on_order) !== takaToPoisha(saved.price_on_order), line }
}
