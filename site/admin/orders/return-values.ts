// The values of the return dialog, and what a return makes of the order's money.
import { toMilli } from '#lib/format/numbers.ts'
import { quantityField } from '#features/orders/editing/forms.ts'
import type { AdminOrder, AdminOrderLine } from '#features/orders/history/order-details.server.ts'
import { isReturnable, returnableQuantity, type ReturnLine, returnSums, type SoldOrder } from '#features/orders/returns/return-rules.ts'
import { type Poisha, poisha, takaToPoisha } from '#lib/format/money.ts'

/** What comes back of a line, as typed. */
export interface TypedReturn {
  quantity: string
  damaged: boolean
}

/** The quantities of a line in thousandths, as the rules of returns take them. */
export const soldQuantities = ({ quantity, returned, unit }: AdminOrderLine) => {
  return { quantityMilli: toMilli(quantity), returnedMilli: toMilli(returned), unit }
}

/** The quantity of a line that can still come back, in thousandths. */
export const returnableMilli = (line: AdminOrderLine): number => returnableQuantity(soldQuantities(line))

/** Whether products of the order can come back. */
export const canReturn = (order: AdminOrder): boolean => isReturnable(order.status) && order.lines.some((line) => returnableMilli(line) > 0)

/** A typed quantity in thousandths; null when it is none. */
export function readReturnQuantity(typed: string): number | null {
  const read = quantityField.safeParse(typed)
  return read.success ? read.data : null
}

function soldOrder(order: AdminOrder): SoldOrder {
  return {
    total: takaToPoisha(order.total),
    shipping: takaToPoisha(order.shipping_cost),
    paid: poisha(takaToPoisha(order.paid) - takaToPoisha(order.fee)),
    returnedWorth: takaToPoisha(order.returned_worth),
    lines: order.lines.map((line) => ({
      productId: line.product_id,
      ...soldQuantities(line),
      total: takaToPoisha(line.line_total),
      discount: takaToPoisha(line.own_discount),
      weighed: takaToPoisha(line.weighed),
    })),
  }
}

export interface ReturnPreview {
  worth: Poisha
  isAll: boolean
  /** The amount due after the return; below zero: to be refunded. */
  due: Poisha
}

/** The value of a return, and the amount due after it. Write-offs are reversed by a return. */
export function previewReturn(order: AdminOrder, lines: readonly ReturnLine[]): ReturnPreview {
  const sold = soldOrder(order)
  const { worth, isAll } = returnSums(sold, lines)
  const due = isAll ? -sold.paid : takaToPoisha(order.due) + takaToPoisha(order.written_off) - worth
  return { worth, isAll, due: poisha(due) }
}
