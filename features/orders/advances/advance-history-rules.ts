// The filter of the advance history: a state, and one term that is an order number, a phone or a transaction id.
import { readTypedId } from '#lib/format/id.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { ADVANCE_METHODS } from '../types.ts'
import { normalizeTransactionId } from './transaction-id-rules.ts'

export const ADVANCE_STATES = ['waiting', 'verified', 'refused'] as const
export type AdvanceState = (typeof ADVANCE_STATES)[number]

/** A term may be several of these at once: eleven digits can be a phone or a transaction id. */
export interface AdvanceHistoryFilter {
  state: AdvanceState | null
  term: { orderId: number | null; phone: string | null; transactionIds: readonly string[] } | null
}

/** Reads `state` and `q` of a URL. An unknown state is no filter. A term that can be nothing finds nothing. */
export function readAdvanceHistoryQuery(query: Record<string, string | undefined>): AdvanceHistoryFilter {
  const state = ADVANCE_STATES.find((known) => known === query.state) ?? null
  const typed = (query.q ?? '').slice(0, 100).trim()
  if (typed === '') return { state, term: null }
  const orderId = readTypedId(latinDigits(typed))
  return { state, term: { orderId, phone: normalizePhone(typed), transactionIds: typedTransactionIds(typed) } }
}

/** The forms in which a typed transaction id may be stored: a bank's has its hyphens, a mobile wallet's has none. */
function typedTransactionIds(typed: string): string[] {
  const ids = ADVANCE_METHODS.map((method) => normalizeTransactionId(typed, method))
  return [...new Set(ids.filter((id) => id !== null))]
}
