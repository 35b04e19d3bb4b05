// Store credit: what the shop owes to a customer for returned products, to be spent at the POS (decision 29).
//
// A return may be refunded as store credit instead of money. A sale pays with it up to the balance. What a sale was paid with store credit
// comes back as store credit: its money is paid back first, at most what was paid in money.
import { type Poisha, poisha } from '#lib/format/money.ts'

/**
 * The least part of a refund that is store credit. `paid`: payments of the sale less refunds; `creditPaid`: those by store credit alone,
 * negative where more came back as store credit than was paid with it.
 */
export function creditRequired(refund: Poisha, { paid, creditPaid }: { paid: Poisha; creditPaid: Poisha }): Poisha {
  return poisha(Math.max(0, Math.min(refund, refund - (paid - creditPaid))))
}
