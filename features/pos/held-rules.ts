// Held sales: sales put aside at a register, which any register of the shop may resume.
import { saleDiscount } from './discount-rules.ts'
import { type PosLine, posSums } from './rules.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'

/** Days that the shop stores a held sale. */
export const HELD_DAYS = 7
/** Held sales of the shop; further ones stay on their device. */
export const MAX_HELD_SALES = 200

const DAY_MS = 86_400_000

export const heldUntil = (arrivedAt: Date): Date => new Date(arrivedAt.getTime() + HELD_DAYS * DAY_MS)

/** The total of a held sale at its own prices, without delivery. */
export function heldTotal({ lines, discount }: { lines: readonly PosLine[]; discount: string }): Poisha {
  return posSums(lines, ZERO, saleDiscount(lines, discount)).total
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
