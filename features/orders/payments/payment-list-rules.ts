// The filters and the order of the list of payments and refunds.
import type { LedgerKind } from '#features/ledger/rules.ts'
import type { ListSorts } from '#lib/db/keyset.ts'
import { isDay } from '#lib/format/time.ts'

/** The kinds of entries that are money. Price changes and roundings are no payments. */
export const PAYMENT_KINDS = ['advance', 'gateway', 'cash_on_delivery', 'counter', 'refund'] as const satisfies readonly LedgerKind[]
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

export const LISTED_METHODS = ['cash', 'bkash', 'nagad', 'rocket', 'bank', 'card', 'sslcommerz', 'store_credit', 'exchange'] as const

/** By time and id, in both directions. */
export const PAYMENT_SORTS = { new: { keys: 2, order: 'desc' } } as const satisfies ListSorts<'new'>

export interface PaymentFilter {
  kind: PaymentKind | null
  method: string | null
  /** Days in Dhaka, both included. */
  from: string | null
  to: string | null
}

/** Reads the filters of a URL. Invalid values become null. */
export function readPaymentFilter(query: Record<string, string | undefined>): PaymentFilter {
  const day = (text: string | undefined) => (text !== undefined && isDay(text) ? text : null)
  return {
    kind: PAYMENT_KINDS.find((kind) => kind === query.kind) ?? null,
    method: LISTED_METHODS.find((method) => method === query.method) ?? null,
    from: day(query.from),
    to: day(query.to),
  }
}
