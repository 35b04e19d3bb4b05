// What comes back to the counter, and what goes back for it.
//
// Some of the quantity of some lines of a sale comes back, never more than was sold. Goods are worth what was paid for them: their
// line, less its share of what was taken off the whole sale. Shares are reckoned over all that has come back so far, so that many small
// returns give exactly what one would. When everything is back, everything that was paid is, the delivery charge too. What was not
// paid, or has gone back otherwise, does not go back again.
//
// A cashier refunds up to a sum of one sale and of one day alone, within some days of the sale; the owner sets all three. Refunds that a
// supervisor approved do not count. Beyond the limit a supervisor approves.
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

/** A line as it was sold, and how much of it has come back. */
export interface SoldLine {
  productId: number
  quantityMilli: number
  returnedMilli: number
  total: Poisha
}

export interface SoldOrder {
  /** What the sale came to, delivery and discount counted. */
  total: Poisha
  shipping: Poisha
  /** Money that was paid less money that went back. */
  paid: Poisha
  /** What earlier returns were worth. */
  returnedWorth: Poisha
  lines: readonly SoldLine[]
}

export interface WantedReturn {
  productId: number
  quantityMilli: number
}

/** Goods come back once they have gone out; before that an order is cancelled. */
export function canComeBack(status: OrderStatus): boolean {
  return status === 'on_delivery' || status === 'delivered' || status === 'completed'
}

/** What so much of a line cost, before the discount of the whole sale; all of it exactly its total. */
export function productsOf(line: SoldLine, milli: number): Poisha {
  return part(line.total, milli, line.quantityMilli)
}

/** amount × numerator / denominator, rounded half up: the products of two sums of money are beyond what a number holds. */
function part(amount: Poisha, numerator: number, denominator: number): Poisha {
  const doubled = 2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)
  return poisha(Number(doubled / (2n * BigInt(denominator))))
}

export interface ReturnSums {
  /** What the goods were sold for. */
  worth: Poisha
  /** What of it goes back. */
  refund: Poisha
  /** Nothing is left with the customer. */
  isAll: boolean
}

/** What a return is worth and gives back. Its quantities must be there to come back. */
export function returnSums(order: SoldOrder, wanted: readonly WantedReturn[]): ReturnSums {
  const more = new Map(wanted.map((line) => [line.productId, line.quantityMilli]))
  const back = (line: SoldLine) => line.returnedMilli + (more.get(line.productId) ?? 0)
  const isAll = order.lines.every((line) => back(line) === line.quantityMilli)
  const goods = sum(order.lines.map((line) => line.total))
  const goodsBack = sum(order.lines.map((line) => productsOf(line, back(line))))
  const paidForGoods = poisha(order.total - order.shipping)
  const worthSoFar = isAll ? order.total : goods === 0 ? ZERO : part(paidForGoods, goodsBack, goods)
  const worth = poisha(worthSoFar - order.returnedWorth)
  const tooMuch = order.paid - (order.total - worthSoFar)
  return { worth, refund: poisha(Math.max(0, Math.min(worth, tooMuch))), isAll }
}
