// An exchange at the POS: the refund of returned products pays for the sale that the customer takes instead.
//
// The smaller of the refund and the total is carried over. The rest of the total is paid, or the rest of the refund is paid back; only this
// difference passes through the drawer, and only its cash is rounded.
import { type Poisha, poisha } from '#lib/format/money.ts'

export interface ExchangeSums {
  /** The amount carried over: a refund of the returned sale, and a payment of the new one. */
  exchanged: Poisha
  /** What the customer pays on top. */
  toPay: Poisha
  /** What is paid back to the customer. */
  toRefund: Poisha
}

/** The sums of an exchange, exact: one of `toPay` and `toRefund` is zero. */
export function exchangeSums(refund: Poisha, total: Poisha): ExchangeSums {
  const exchanged = poisha(Math.min(refund, total))
  return { exchanged, toPay: poisha(total - exchanged), toRefund: poisha(refund - exchanged) }
}
