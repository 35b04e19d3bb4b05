// Returns at the POS and their refund.
//
// Part of the quantity of some lines of a sale is returned, never added than was sold. Returned products are worth what was paid for them:
// the line total minus its share of the order's discount. Shares are computed over all returns so far, so that many small returns give
// exactly the result of one. A full return refunds everything that was paid, including the delivery charge. Money that was not paid, or
// was refunded otherwise, is not refunded again.
//
// A cashier refunds alone up to an amount of one sale and of one day, within some days of the sale; the owner sets all three. Refunds that
// a supervisor approved do not count. Beyond the limit a supervisor approves.
import type { OrderStatus } from '#features/orders/rules.ts'
import { type Poisha, poisha, sum, ZERO } from '#lib/format/money.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'

/** The owner's setting: whole taka of one sale and of one cashier's day, and days since the sale. */
export interface RefundLimit {
  taka: number
  day_taka: number
  days: number
}

/** Refunds without a supervisor so far: of the sale by any cashier, and of the day by this cashier. */
export interface UnapprovedRefunds {
  ofSale: Poisha
  ofDay: Poisha
}

/** The maximum that a cashier refunds of a sale alone now. Zero for a sale that is too old. */
export function refundAllowance(limit: RefundLimit, refunded: UnapprovedRefunds, placedAt: Date, now: Date): Poisha {
  if (isTooOldToReturn(limit, placedAt, now)) return ZERO
  const left = Math.min(limit.taka * 100 - refunded.ofSale, limit.day_taka * 100 - refunded.ofDay)
  return poisha(Math.max(0, left))
}

/** Whether a return needs a supervisor because of the sale's age, in calendar days of Dhaka. */
export function isTooOldToReturn({ days }: RefundLimit, placedAt: Date, now: Date): boolean {
  return dhakaDate(now) > addDays(dhakaDate(placedAt), days)
}

/** A line as it was sold, and its returned quantity. */
export interface SoldLine {
  productId: number
  quantityMilli: number
  returnedMilli: number
  total: Poisha
}

export interface SoldOrder {
  /** The total of the sale, including delivery and discount. */
  total: Poisha
  shipping: Poisha
  /** Payments minus refunds. */
  paid: Poisha
  /** The value of earlier returns. */
  returnedWorth: Poisha
  lines: readonly SoldLine[]
}

export interface ReturnLine {
  productId: number
  quantityMilli: number
}

/** Whether products can be returned: only after they have left the shop. Before that an order is cancelled. */
export function isReturnable(status: OrderStatus): boolean {
  return status === 'on_delivery' || status === 'delivered' || status === 'completed'
}

/** The price of a quantity of a line, before the order's discount; the whole quantity is exactly the line total. */
export function lineValue(line: SoldLine, milli: number): Poisha {
  return part(line.total, milli, line.quantityMilli)
}

/** amount × numerator / denominator, rounded half up. BigInt, because products of two amounts exceed safe integers. */
function part(amount: Poisha, numerator: number, denominator: number): Poisha {
  const doubled = 2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)
  return poisha(Number(doubled / (2n * BigInt(denominator))))
}

export interface ReturnSums {
  /** The value of the returned products. */
  worth: Poisha
  /** The part of the value to refund. */
  refund: Poisha
  /** Whether every line is fully returned. */
  isAll: boolean
}

/** The value and refund of a return. Its quantities must still be returnable. */
export function returnSums(order: SoldOrder, requested: readonly ReturnLine[]): ReturnSums {
  const added = new Map(requested.map((line) => [line.productId, line.quantityMilli]))
  const returned = (line: SoldLine) => line.returnedMilli + (added.get(line.productId) ?? 0)
  const isAll = order.lines.every((line) => returned(line) === line.quantityMilli)
  const total = sum(order.lines.map((line) => line.total))
  const returnedTotal = sum(order.lines.map((line) => lineValue(line, returned(line))))
  const paidForProducts = poisha(order.total - order.shipping)
  const worthSoFar = isAll ? order.total : total === 0 ? ZERO : part(paidForProducts, returnedTotal, total)
  const worth = poisha(worthSoFar - order.returnedWorth)
  const tooMuch = order.paid - (order.total - worthSoFar)
  return { worth, refund: poisha(Math.max(0, Math.min(worth, tooMuch))), isAll }
}
