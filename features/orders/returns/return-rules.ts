// Returned products and what they are worth, at the POS and in the admin.
//
// Part of the quantity of some lines of an order is returned, never more than was sold. Returned products are worth what was paid for them:
// the line total minus its own discount and its share of the rest of the order's discount, at the final weight. Shares are computed over all returns so far, so that many
// small returns give exactly the result of one. A full return refunds everything that was paid, including the delivery charge. Money that
// was not paid, or was refunded otherwise, is not refunded again.
import { isWholeUnit } from '#features/catalog/quantity-rules.ts'
import { type Poisha, poisha, sum, ZERO } from '#lib/format/money.ts'
import { isSent, type OrderStatus } from '../rules.ts'

/** A line as it was sold, and its returned quantity. */
export interface SoldLine {
  productId: number
  quantityMilli: number
  returnedMilli: number
  total: Poisha
  /** The discount on this line alone, a part of the order's discount. */
  discount: Poisha
  /** What the final weighing of an animal added to its price; below zero: cheaper. */
  weighed: Poisha
}

export interface SoldOrder {
  /** The total of the sale, including delivery and discount. */
  total: Poisha
  shipping: Poisha
  /** Payments minus refunds, also those that a gateway is making, and fees retained. */
  paid: Poisha
  /** The value of earlier returns. */
  returnedWorth: Poisha
  lines: readonly SoldLine[]
}

export interface ReturnLine {
  productId: number
  quantityMilli: number
}

/** Whether products can be returned: after the order was sent. Before that it is cancelled or edited. */
export function isReturnable(status: OrderStatus): boolean {
  return isSent(status)
}

type Quantities = Pick<SoldLine, 'quantityMilli' | 'returnedMilli'>

/** The quantity of a line that can still come back, in thousandths. */
export const returnableQuantity = ({ quantityMilli, returnedMilli }: Quantities): number => quantityMilli - returnedMilli

/** The message key of why a quantity of a line cannot come back; null when it can: whole pieces and bundles, or all that is left. */
export function returnQuantityProblem(line: Quantities & { unit: string }, milli: number): 'returns.too-many' | 'returns.whole' | null {
  const left = returnableQuantity(line)
  if (milli > left) return 'returns.too-many'
  return !isWholeUnit(line.unit) || milli % 1000 === 0 || milli === left ? null : 'returns.whole'
}

/** The price of a quantity of a line, before the order's discount; the whole quantity is exactly the line total. */
export function lineValue(line: SoldLine, milli: number): Poisha {
  return part(line.total, milli, line.quantityMilli)
}

/** What the final weighing added to the price of a quantity. An animal comes back whole. */
const weighedValue = (line: SoldLine, milli: number): Poisha => (milli === line.quantityMilli ? line.weighed : ZERO)

/** The price of a quantity that comes back now, after earlier returns of the line and its final weighing. */
export function returnedValue(line: SoldLine, milli: number): Poisha {
  const [before, after] = [line.returnedMilli, line.returnedMilli + milli]
  const weighed = weighedValue(line, after) - weighedValue(line, before)
  return poisha(lineValue(line, after) - lineValue(line, before) + weighed)
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
  const charged = poisha(order.total + sum(order.lines.map((line) => line.weighed)))
  const worthSoFar = isAll ? charged : valueOf(order, returned)
  const worth = poisha(Math.max(0, worthSoFar - order.returnedWorth))
  const tooMuch = order.paid - (charged - worthSoFar)
  return { worth, refund: poisha(Math.max(0, Math.min(worth, tooMuch))), isAll }
}

/**
 * The price of returned quantities less their own discounts and their share of the rest. A final weighing counts in full: no discount was given
 * on it.
 */
function valueOf(order: SoldOrder, returned: (line: SoldLine) => number): Poisha {
  const { total, shipping, lines } = order
  const own = ownDiscounts(order)
  const net = (line: SoldLine) => poisha(line.total - (own.get(line) ?? 0))
  const goods = sum(lines.map(net))
  const back = sum(lines.map((line) => part(net(line), returned(line), line.quantityMilli)))
  const share = goods === 0 ? ZERO : part(poisha(total - shipping), back, goods)
  return poisha(share + sum(lines.map((line) => weighedValue(line, returned(line)))))
}

/** The discounts of lines alone; none where an edit has left less discount on the order than they add up to. */
function ownDiscounts({ total, shipping, lines }: SoldOrder): ReadonlyMap<SoldLine, Poisha> {
  const own = new Map(lines.map((line) => [line, poisha(Math.min(line.discount, line.total))]))
  const ofOrder = sum(lines.map((line) => line.total)) - (total - shipping)
  return sum([...own.values()]) <= ofOrder ? own : new Map()
}
