import type { Poisha } from '#lib/format/money.ts'
import type { Faults } from './faults.ts'

export type SessionState = 'open' | 'pending' | 'paid' | 'failed' | 'cancelled'

export type CardSession = {
  key: string
  fields: Readonly<Record<string, string>>
  state: SessionState
  instrument: string
  valId: string
  bankTranId: string
  at: Date
  validated: boolean
}

export type WalletPayment = {
  paymentId: string
  trxId: string
  amount: string
  invoice: string
  payerReference: string
  callbackUrl: string
  state: SessionState
  executed: boolean
  createdAt: Date
  executedAt: Date | null
}

/** `payment`: the id of the refunded payment; `refundId`: the shop's own id of the refund. */
export type SimRefund = { ref: string; payment: string; refundId: string; amount: Poisha; pollsLeft: number }

/** The state of the simulated companies, in memory and bounded: a demo may run for months. */
export type SimState = {
  faults: Faults
  cards: Map<string, CardSession>
  wallets: Map<string, WalletPayment>
  refunds: Map<string, SimRefund>
  tokens: Set<string>
  calls: Record<string, number>
  waiting: Set<() => void>
}

export function emptyState(): SimState {
  return { faults: {}, cards: new Map(), wallets: new Map(), refunds: new Map(), tokens: new Set(), calls: {}, waiting: new Set() }
}

/** The sum of all refunds of a payment. */
export function refundedOf(state: SimState, payment: string): number {
  return [...state.refunds.values()].reduce((sum, one) => (one.payment === payment ? sum + one.amount : sum), 0)
}

const MAX_ENTRIES = 5_000

/** Stores an entry and evicts the oldest above the limit. */
export function store<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value)
  if (map.size > MAX_ENTRIES) map.delete(map.keys().next().value!)
}
