// Paying a part now.
//
// The part covers at least the delivery charge, and the advance of the items when that is more; never more than the total.
// What the shop suggests leaves a round sum for later: the odd taka of the total, raised by whole hundreds until it is enough.
import { poisha } from '#lib/money.ts'
import type { Poisha } from '#lib/money.ts'

export interface PartialBasis {
  total: Poisha
  delivery: Poisha
  /** The sum of the line advances. */
  advances: Poisha
}

/** The least and the most that can be paid as a part. */
export function partialBounds(basis: PartialBasis): { min: Poisha; max: Poisha } {
  return { min: poisha(Math.min(basis.total, Math.max(basis.delivery, basis.advances))), max: basis.total }
}

const HUNDRED_TAKA = 10_000

/** The part that is suggested first. Zero only for an order that costs nothing, for a part of zero is refused. */
export function suggestPartial(basis: PartialBasis): Poisha {
  const needed = Math.max(partialBounds(basis).min, 1)
  const odd = basis.total % HUNDRED_TAKA
  const raised = odd + Math.ceil(Math.max(0, needed - odd) / HUNDRED_TAKA) * HUNDRED_TAKA
  return poisha(Math.min(raised, basis.total))
}

export type PartialProblem =
  | { key: 'partial.invalid' }
  | { key: 'partial.belowDelivery' | 'partial.aboveTotal' | 'partial.belowAdvance'; amount: Poisha }

/** What is wrong with a part (null: it could not be read as an amount), or null when it will do. The key is that of the message. */
export function partialAmountError(amount: Poisha | null, basis: PartialBasis): PartialProblem | null {
  if (amount === null) return { key: 'partial.invalid' }
  if (amount < Math.min(basis.delivery, basis.total)) return { key: 'partial.belowDelivery', amount: basis.delivery }
  if (amount > basis.total) return { key: 'partial.aboveTotal', amount: basis.total }
  const { min } = partialBounds(basis)
  if (amount < min) return { key: 'partial.belowAdvance', amount: min }
  return amount <= 0 ? { key: 'partial.invalid' } : null
}
