// Discounts at the POS, typed as taka or as a percentage.
//
// The sale has one discount, and each line may have one. The payload of a sale has one `discount`, their sum, which the cashier's limit and a
// supervisor's approval cover. Lines name their own part of it, so that a return refunds it with its line. A percentage is rounded down to
// the poisha, as the limit is (`discountLimit`): a percentage at the limit is within it.
import { parseAmount, poisha, type Poisha, sum, WHOLE_PERCENT, ZERO } from '#lib/format/money.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { posLineTotal, type PosLine } from './rules.ts'

/** A percentage above zero and up to 100 with at most two decimals after a point or a comma. */
const PERCENTAGE = /^(\d{1,3})(?:[.,](\d{1,2}))? ?%$/
const SIGN = /\s*%\s*$/

export const isPercentage = (typed: string) => SIGN.test(typed)

/** The typed discount with a percent sign, or without the one it has. */
export function togglePercentage(typed: string): string {
  return isPercentage(typed) ? typed.replace(SIGN, '') : `${typed.trim()}%`
}

/** A typed discount on products of this sum, in taka or as a percentage; empty is zero, unreadable or more than the products is null. */
export function readDiscount(typed: string, goods: Poisha): Poisha | null {
  const text = latinDigits(typed.trim())
  if (text === '') return ZERO
  const amount = isPercentage(text) ? shareOf(text, goods) : parseAmount(text)
  return amount !== null && amount >= 0 && amount <= goods ? amount : null
}

function shareOf(text: string, goods: Poisha): Poisha | null {
  const [, whole, fraction = ''] = PERCENTAGE.exec(text) ?? []
  if (whole === undefined) return null
  const hundredths = Number(whole + fraction.padEnd(2, '0'))
  return hundredths > 0 && hundredths <= WHOLE_PERCENT ? poisha(Math.floor((goods * hundredths) / WHOLE_PERCENT)) : null
}

/** The discount on a line; null when it is unreadable or more than the line. */
export function lineDiscount(line: PosLine): Poisha | null {
  return readDiscount(line.discount ?? '', posLineTotal(line))
}

/** What is left of the lines after their own discounts: the base of the sale's discount. Unreadable discounts count as zero. */
export function goodsAfterLineDiscounts(lines: readonly PosLine[]): Poisha {
  return sum(lines.map((line) => poisha(posLineTotal(line) - (lineDiscount(line) ?? 0))))
}

/** The discount on the whole sale, those of its lines included; null when one of them is unreadable or too high. */
export function saleDiscount(lines: readonly PosLine[], typed: string): Poisha | null {
  const ofLines = lines.map(lineDiscount)
  const ofSale = readDiscount(typed, goodsAfterLineDiscounts(lines))
  if (ofSale === null) return null
  return ofLines.every((one) => one !== null) ? sum([...ofLines, ofSale]) : null
}
