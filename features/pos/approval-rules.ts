// What a cashier may not do alone.
//
// A cashier takes off up to a percentage of the goods and up to a sum; the owner sets both. A larger discount, another price than the
// shop's, and goods on hold need a supervisor at the till. An approval covers one sale exactly as the supervisor saw it: every line with
// quantity, price and hold, and the discount. Any difference asks again.
import { lineTotal } from '#features/pricing/rules.ts'
import { type Poisha, poisha, poishaToTaka, sum } from '#lib/format/money.ts'

/** The owner's setting: whole percent of the goods, and whole taka. */
export interface DiscountLimit {
  percent: number
  taka: number
}

/** Minutes from an approval to the sale that uses it. */
export const APPROVAL_MINUTES = 15

export interface SaleLine {
  id: number
  quantityMilli: number
  /** Of one unit. */
  price: Poisha
  /** Differs from the shop's price. */
  isPriceSet: boolean
  isHeld: boolean
}

/** A sale as a supervisor approves it. */
export interface SaleTerms {
  discount: Poisha
  lines: readonly SaleLine[]
}

/** The parts of a sale that need a supervisor. */
export interface Exceptions {
  isDiscountTooHigh: boolean
  prices: readonly SaleLine[]
  held: readonly SaleLine[]
}

/** The maximum discount that a cashier gives alone on goods of this worth. */
export function discountLimit(goods: Poisha, { percent, taka }: DiscountLimit): Poisha {
  return poisha(Math.max(0, Math.min(Math.floor((goods * percent) / 100), taka * 100)))
}

/** The parts of a sale that need a supervisor, or null. A device that does not know the limit yet passes null: any discount may be within it. */
export function exceptionsOf({ discount, lines }: SaleTerms, limit: DiscountLimit | null): Exceptions | null {
  const goods = sum(lines.map(({ price, quantityMilli }) => lineTotal(price, quantityMilli)))
  const isDiscountTooHigh = limit !== null && discount > discountLimit(goods, limit)
  const prices = lines.filter(({ isPriceSet }) => isPriceSet)
  const held = lines.filter(({ isHeld }) => isHeld)
  return isDiscountTooHigh || prices.length > 0 || held.length > 0 ? { isDiscountTooHigh, prices, held } : null
}

/** Whether two sales are the same to a supervisor, in whatever order their lines stand. */
export function isSameSale(a: SaleTerms, b: SaleTerms): boolean {
  return canonical(a) === canonical(b)
}

function canonical({ discount, lines }: SaleTerms): string {
  const rows = lines.map(({ id, quantityMilli, price, isPriceSet, isHeld }) => [id, quantityMilli, price, isPriceSet, isHeld])
  return JSON.stringify([discount, rows.sort(([a], [b]) => Number(a) - Number(b))])
}

/** The exceptions of approved terms for history and log: taka, units. */
export function approvedJson({ discount, lines }: SaleTerms) {
  const prices = lines.filter(({ isPriceSet }) => isPriceSet)
  const held = lines.filter(({ isHeld }) => isHeld)
  return {
    discount: poishaToTaka(discount),
    ...(prices.length > 0
      ? { prices: prices.map(({ id, quantityMilli, price }) => ({ id, quantity: quantityMilli / 1000, price: poishaToTaka(price) })) }
      : {}),
    ...(held.length > 0 ? { held: held.map(({ id }) => id) } : {}),
  }
}

/** Whether a code is one that anybody would try first: one figure, a row of them, two or three repeated, or the end of the phone. */
export function isEasyPosCode(code: string, phone: string): boolean {
  const steps = [...code].slice(1).map((figure, at) => (Number(figure) - Number(code[at]) + 10) % 10)
  const isRow = new Set(steps).size === 1 && [0, 1, 9].includes(steps[0] ?? 0)
  return isRow || code.slice(0, 3) === code.slice(3) || code.slice(0, 2).repeat(3) === code || phone.endsWith(code)
}
