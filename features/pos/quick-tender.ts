// Amounts of cash that customers hand over, for buttons beside the cash field.
import { poisha, type Poisha } from '#lib/format/money.ts'

/** Customers pay the next multiple of these notes, in taka. */
const NOTES = [50, 100, 500, 1000] as const

/** The next sums of notes above an amount of cash, lowest first; none for nothing. The exact amount is not among them. */
export function quickTender(due: Poisha): Poisha[] {
  if (due <= 0) return []
  const sums = NOTES.map((note) => Math.ceil(due / (note * 100)) * note * 100)
  return [...new Set(sums)].filter((amount) => amount > due).map((amount) => poisha(amount))
}
