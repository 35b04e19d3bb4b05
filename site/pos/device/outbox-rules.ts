// Sales on their way to the shop.
//
// A sale is written down on the device before it is sent for the first time. It leaves under one key until the shop has answered: with
// its order, or with a refusal that a person looks at. No answer, and an answer of somebody in between, mean that it is sent again.
import type { CallResult } from '#page/api-client.ts'
import type { Sale } from '../sale.ts'

/** Why the shop did not take a sale that waited. */
export interface RejectedSale {
  /** As the call names it: `changed`, `missing`, `shift-closed`, … */
  reason: string
  /** What the shop said, to be read. */
  message: string
  /** What the shop asks for the products now, in taka. */
  products?: { id: number; price: number }[]
}

export interface QueuedSale {
  key: string
  /** Sales leave in this order. */
  place: number
  cashier: { id: number; name: string }
  /** ISO instant by the device's clock. */
  soldAt: string
  total: number
  /** What is sent, the same each time. */
  body: Record<string, unknown>
  /** As the cashier entered it, to be mended; gone once it is sold. */
  sale: Sale | null
  state: 'waiting' | 'clash' | 'sold'
  clash?: RejectedSale
  orderId?: number
}

/** What an answer means for a sale that was sent. */
export type Outcome =
  | { kind: 'sold'; orderId: number; redirect: string }
  | { kind: 'clash'; clash: RejectedSale; refusal: Refusal }
  /** Nobody knows whether it arrived: again, later. `answered`: somebody is there, and another sale may be taken. */
  | { kind: 'later'; answered: boolean }
  /** The shop does not know who asks any more. */
  | { kind: 'sign-in' }
  /** The session is locked: again, once a PIN has unlocked it. */
  | { kind: 'locked' }

/** What the shop says when it does not take a sale. */
export interface Refusal {
  message: string
  reason?: string
  errors?: Record<string, string[]>
  /** What a supervisor has to approve. */
  approval_needed?: object
  products?: { id: number; price: number }[]
}

type StoreAnswer = Partial<Refusal> & { order_id?: number; redirect?: string }

const SOMETIMES_BUSY = new Set([408, 425, 429])

/** Reads the answer of `POST /admin/quick-orders/store`; whatever the shop itself did not say decides nothing. */
export function outcomeOf(answer: CallResult<StoreAnswer | null>): Outcome {
  if (answer.noResponse) return { kind: 'later', answered: false }
  const { status, body } = answer
  if (answer.ok && body?.order_id && body.redirect) return { kind: 'sold', orderId: body.order_id, redirect: body.redirect }
  if (status === 401) return { kind: 'sign-in' }
  if (status === 423) return { kind: 'locked' }
  if (answer.ok || status >= 500 || SOMETIMES_BUSY.has(status) || !body?.message) return { kind: 'later', answered: true }
  const { message, reason = String(status), products } = body
  return { kind: 'clash', clash: { reason, message, ...(products ? { products } : {}) }, refusal: { ...body, message } }
}

/** Few enough characters to read aloud, and to find a sale by (features/pos/sold-sales.server.ts); its letter tells it from an order's number. */
export function shortNumber(key: string): string {
  const figures = key.replace(/[^0-9a-z]/gi, '').slice(0, 6)
  return `U${figures.toUpperCase()}`
}

/** The sales of a cashier that wait to be sent, the first first. */
export function waitingOf(sales: readonly QueuedSale[], cashierId: number): QueuedSale[] {
  return sales.filter(({ state, cashier }) => state === 'waiting' && cashier.id === cashierId).sort((a, b) => a.place - b.place)
}

/** What other cashiers have left on this device: how many, never what. */
export function leftByOthers(sales: readonly QueuedSale[], cashierId: number): { name: string; count: number }[] {
  const counts = new Map<number, { name: string; count: number }>()
  for (const { state, cashier } of sales) {
    if (state === 'sold' || cashier.id === cashierId) continue
    counts.set(cashier.id, { name: cashier.name, count: (counts.get(cashier.id)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}

const FIRST_MS = 2000
const MAX_MS = 60_000

/** How long to wait after so many tries without an answer, in milliseconds. */
export function backoff(tries: number): number {
  return Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(tries, 10))
}
