// Rounding of cash to whole taka, a setting (`cash_rounding`): there are no poisha coins.
//
// Only cash is rounded: the rest of a total after all other methods, half a taka up. Their payments stay exact. The total of the
// sale stays exact, too; the ledger has the difference as an entry of its own (kind `rounding`), so that total, ledger and drawer agree.
//
// A refund in cash is rounded in the same way over all returns of the sale so far: many small returns give exactly the cash of one. What
// was sold for ৳83.20 and paid with ৳83 comes back in two halves of ৳41.60 as ৳42 and ৳41.
import { type Poisha, poisha, wholeTaka } from '#lib/format/money.ts'
import { noncashOf, type Tender } from './rules.ts'

/** What rounding adds to the cash of a sale; negative: takes off. Zero where other methods pay everything. */
export function saleRounding(total: Poisha, other: Omit<Tender, 'cash'>): Poisha {
  const cash = poisha(total - noncashOf(other))
  return cash > 0 ? poisha(wholeTaka(cash) - cash) : poisha(0)
}

/**
 * The cash to give back for an exact sum. `carried`: exact cash refunds of the sale so far less the cash given for them; between minus and
 * plus half a taka.
 */
export function roundedRefund(exactCash: Poisha, carried: Poisha): Poisha {
  return wholeTaka(poisha(exactCash + carried))
}
