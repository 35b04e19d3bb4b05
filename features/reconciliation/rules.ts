// Reconciliation: the ledger entries of a method compared with the statement of the account where the money arrived.
//
// A row and an entry are matched by transaction id and amount. The rest is matched by amount and day where there is exactly one row and
// one entry. In a wallet two different transaction ids are two payments. Banks write ids in their own ways, so there they do not count.
import type { Poisha } from '#lib/format/money.ts'

/** The ledger methods that a statement can be reconciled with. */
export const STATEMENT_METHODS = ['bkash', 'bank', 'nagad', 'rocket', 'card'] as const
export type StatementMethod = (typeof STATEMENT_METHODS)[number]

/** The lists of a day: on the statement only, in the books only, matched or explained. */
export const STATEMENT_LISTS = ['statement', 'books', 'matched'] as const
export type StatementList = (typeof STATEMENT_LISTS)[number]

interface Sides {
  statement_poisha: Poisha
  books_poisha: Poisha
}

const gap = ({ statement_poisha, books_poisha }: Sides) => Math.abs(statement_poisha - books_poisha)

/**
 * Whether the sides of a closed day differ by more than when it was closed: a sale that was made without network came later. Another account
 * that takes its own entries makes the difference smaller.
 */
export function isChangedSince({ closed, ...now }: Sides & { closed: Sides | null }): boolean {
  return closed !== null && gap(now) > gap(closed)
}

export const DAY_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export type DayOrder = (typeof DAY_ORDERS)[number]

/** The columns of a statement by their headings. Either `amount`, or `credit` and `debit`, or one of the two. */
export interface StatementMapping {
  day: string
  dayOrder: DayOrder
  amount: string | null
  credit: string | null
  debit: string | null
  reference: string | null
  details: string | null
}

export const MAX_STATEMENT_BYTES = 5 * 1024 * 1024
export const MAX_STATEMENT_ROWS = 20_000
export const MAX_ACCOUNT_NAME_LENGTH = 100
/** Characters of a reason or note. */
export const MAX_REASON_LENGTH = 255
/** Ledger entries of one statement row. */
export const MAX_ENTRIES_OF_ROW = 200
