// Exceptions that need a supervisor.
//
// A cashier gives a discount up to a percentage of the products and up to an amount; the owner sets both. A larger discount, another
// price than the list price, and products on hold need a supervisor at the POS. An approval covers exactly one sale: every line with
// quantity, price and hold, and the discount. Any difference needs a new approval.
import { lineTotal } from '#features/catalog/shown-price-rules.ts'
import { type Poisha, poisha, poishaToTaka, sum } from '#lib/format/money.ts'

/** The owner's setting: whole percent of the subtotal, and whole taka. */
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
  /** Differs from the list price. */
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

/** The maximum discount that a cashier gives alone on this subtotal. */
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

/** Whether two sales have the same terms, in any order of their lines. */
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

/** Whether a code is easy to guess: one digit repeated, a sequence, a repeated group, or the end of the phone number. */
export function isEasyPosCode(code: string, phone: string): boolean {
  const steps = [...code].slice(1).map((figure, at) => (Number(figure) - Number(code[at]) + 10) % 10)
  const isRow = new Set(steps).size === 1 && [0, 1, 9].includes(steps[0] ?? 0)
  return isRow || code.slice(0, 3) === code.slice(3) || code.slice(0, 2).repeat(3) === code || phone.endsWith(code)
}
