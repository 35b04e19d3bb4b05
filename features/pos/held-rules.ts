// Held sales: sales put aside at a register, which any register of the shop may resume.
import { DAY_MS } from '#lib/format/time.ts'
import { saleDiscount } from './discount-rules.ts'
import { type PosLine, posSums } from './rules.ts'
import { type Poisha, poisha, ZERO } from '#lib/format/money.ts'

/** Days that the shop stores a held sale. */
export const HELD_DAYS = 7
/** Held sales of the shop; further ones stay on their device. */
export const MAX_HELD_SALES = 200

export const heldUntil = (arrivedAt: Date): Date => new Date(arrivedAt.getTime() + HELD_DAYS * DAY_MS)

/** The parts of a held sale that make its total. `coupon`: as the register priced it; `pricedFor` is empty or null without a price. */
interface HeldAmounts {
  lines: readonly PosLine[]
  discount: string
  coupon?: unknown
}

/** The total of a held sale at its own prices, with its coupon, without delivery. */
export function heldTotal({ lines, discount, coupon }: HeldAmounts): Poisha {
  return posSums(lines, ZERO, couponDiscount(coupon) ?? saleDiscount(lines, discount)).total
}

/** The discount of a priced coupon; null without one. A register of another version may have stored anything. */
function couponDiscount(stored: unknown): Poisha | null {
  const { discount, pricedFor } = (stored ?? {}) as { discount?: unknown; pricedFor?: unknown }
  const isPriced = typeof pricedFor === 'string' && pricedFor !== ''
  return isPriced && typeof discount === 'number' && Number.isSafeInteger(discount) && discount >= 0 ? poisha(discount) : null
}

/** A held sale in the list of all registers. */
export interface HeldSale {
  id: string
  name: string
  cashier: string
  register: string
  /** ISO times. */
  heldAt: string
  until: string
  lineCount: number
  /** Taka. */
  total: number
  /** The first lines. */
  lines: { name: string; quantity: string }[]
}

/** Lines of a held sale that the list names. */
export const LISTED_LINES = 3
