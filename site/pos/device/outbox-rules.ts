// Rules of the outbox of POS sales.
//
// A sale is stored on the device before it is sent for the first time. It is sent under one idempotency key until the server has answered
// with its order, or with a rejection that a person handles. Without an answer from the server itself it is sent again.
import type { CallResult } from '#page/api-client.ts'
import type { Sale } from '../sale.ts'

/** Why the server rejected a queued sale. */
export interface RejectedSale {
  /** As in the response: `changed`, `missing`, `shift-closed`, … */
  reason: string
  /** The server's message for the cashier. */
  message: string
  /** The current prices of the products, in taka. */
  products?: { id: number; price: number }[]
}

export interface QueuedSale {
  key: string
  /** Sales are sent in this order. */
  sequence: number
  cashier: { id: number; name: string }
  /** ISO instant by the device's clock. */
  soldAt: string
  total: number
  /** The request body, identical in each try. */
  body: Record<string, unknown>
  /** The sale as entered, for editing; null once it is sold. */
  sale: Sale | null
  state: 'waiting' | 'rejected' | 'sold'
  rejection?: RejectedSale | undefined
  orderId?: number
}

/** Whether two request bodies are the same sale. The time of the sale differs in each try of the cashier and does not count. */
export function isSameBody(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  return JSON.stringify({ ...one, sold_at: null }) === JSON.stringify({ ...other, sold_at: null })
}

/** The sale under a key of its own; an approval covers one key. */
export function withNewKey(queued: QueuedSale): QueuedSale {
  const key = crypto.randomUUID()
  return { ...queued, key, sale: queued.sale && { ...queued.sale, key, approval: null } }
}

/** What the response means for a sent sale. */
export type Outcome =
  | { kind: 'sold'; orderId: number; redirect: string }
  | { kind: 'rejected'; summary: RejectedSale; rejection: Rejection }
  /** Unknown whether it arrived: send again later. `answered`: there was a response, so the next sale may be sent. */
  | { kind: 'later'; answered: boolean }
  /** The session has ended. */
  | { kind: 'sign-in' }
  /** The session is locked: send again after the PIN. */
  | { kind: 'locked' }

/** The server's rejection of a sale. */
export interface Rejection {
  message: string
  reason?: string
  errors?: Record<string, string[]>
  /** What a supervisor has to approve. */
  approval_needed?: object
  products?: { id: number; price: number }[]
}

type StoreAnswer = Partial<Rejection> & { order_id?: number; redirect?: string }

/** Statuses below 500 after which a sale is sent again. The service worker imports nothing: server/page/assets.ts gives it these. */
export const RETRY_STATUSES: readonly number[] = [408, 425, 429]

/** Whether the shop, or a proxy before it, was too busy to decide. */
export const isAskedAgain = (status: number) => status >= 500 || RETRY_STATUSES.includes(status)

/** Interprets the response of `POST /admin/quick-orders/store`; a response that is not the server's own decides nothing. */
export function outcomeOf(answer: CallResult<StoreAnswer | null>): Outcome {
  if (answer.noResponse) return { kind: 'later', answered: false }
  const { status, body } = answer
  if (answer.ok && body?.order_id && body.redirect) return { kind: 'sold', orderId: body.order_id, redirect: body.redirect }
  if (status === 401) return { kind: 'sign-in' }
  if (status === 423) return { kind: 'locked' }
  if (answer.ok || isAskedAgain(status) || !body?.message) return { kind: 'later', answered: true }
  const { message, reason = String(status), products } = body
  return { kind: 'rejected', summary: { reason, message, ...(products ? { products } : {}) }, rejection: { ...body, message } }
}

/** A short number to read aloud and to search by (features/pos/sale-queries.server.ts). Its letter distinguishes it from an order id. */
export function shortNumber(key: string): string {
  const characters = key.replace(/[^0-9a-z]/gi, '').slice(0, 6)
  return `U${characters.toUpperCase()}`
}

/** The waiting sales of a cashier, oldest first. */
export function waitingOf(sales: readonly QueuedSale[], cashierId: number): QueuedSale[] {
  return sales.filter(({ state, cashier }) => state === 'waiting' && cashier.id === cashierId).sort((a, b) => a.sequence - b.sequence)
}

/** The number of unsent sales of each other cashier on this device. */
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

/** The delay before the next try, in milliseconds. */
export function backoff(tries: number): number {
  return Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(tries, 10))
}
