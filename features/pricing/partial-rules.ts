// Partial payments.
//
// A partial payment is at least the delivery charge, or the advance of the lines when that is more, and at most the total. A partial
// payment at a gateway also has the limits of the gateway. The suggestion leaves a round amount due: it is the part of the total below
// 100 taka, raised by whole hundreds until it reaches the minimum.
import { poisha, type Poisha } from '#lib/format/money.ts'
import { MAX_ONLINE_PAYMENT, MIN_ONLINE_PAYMENT } from '../catalog/limits.ts'

export interface PartialBasis {
  total: Poisha
  delivery: Poisha
  /** The sum of the line advances. */
  advances: Poisha
}

export interface PartialBounds {
  min: Poisha
  max: Poisha
}

/** The minimum and maximum of a partial payment by any method. */
export function partialBounds(basis: PartialBasis): PartialBounds {
  return { min: poisha(Math.min(basis.total, Math.max(basis.delivery, basis.advances))), max: basis.total }
}

/** The same for an online payment. None is possible when the minimum exceeds the maximum. */
export function onlineBounds(basis: PartialBasis): PartialBounds {
  const { min, max } = partialBounds(basis)
  return { min: poisha(Math.max(min, MIN_ONLINE_PAYMENT)), max: poisha(Math.min(max, MAX_ONLINE_PAYMENT)) }
}

const HUNDRED_TAKA = 10_000

/** The suggested partial payment. It is accepted whenever an online partial payment is possible. */
export function suggestPartial(basis: PartialBasis): Poisha {
  const { min, max } = onlineBounds(basis)
  const odd = basis.total % HUNDRED_TAKA
  const raised = odd + Math.ceil(Math.max(0, min - odd) / HUNDRED_TAKA) * HUNDRED_TAKA
  return poisha(Math.min(raised, max))
}

export type PartialProblem =
  | { key: 'partial.invalid' }
  | {
      key: 'partial.belowDelivery' | 'partial.aboveTotal' | 'partial.belowAdvance' | 'partial.belowOnline' | 'partial.aboveOnline'
      amount: Poisha
    }

/** The problem of a partial payment (`amount` null: not an amount), or null when it is accepted. `byHand`: sent outside any gateway. */
export function partialAmountError(amount: Poisha | null, basis: PartialBasis, byHand = false): PartialProblem | null {
  if (amount === null) return { key: 'partial.invalid' }
  if (amount < Math.min(basis.delivery, basis.total)) return { key: 'partial.belowDelivery', amount: basis.delivery }
  if (amount > basis.total) return { key: 'partial.aboveTotal', amount: basis.total }
  const { min } = partialBounds(basis)
  if (amount < min) return { key: 'partial.belowAdvance', amount: min }
  if (amount <= 0) return { key: 'partial.invalid' }
  if (byHand) return null
  if (amount < MIN_ONLINE_PAYMENT) return { key: 'partial.belowOnline', amount: MIN_ONLINE_PAYMENT }
  return amount > MAX_ONLINE_PAYMENT ? { key: 'partial.aboveOnline', amount: MAX_ONLINE_PAYMENT } : null
}
