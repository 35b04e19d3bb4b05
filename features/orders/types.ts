import type { LedgerKind } from '#features/ledger/rules.ts'
import type { OrderStatus } from './rules.ts'

export const ORDER_SOURCES = ['web', 'legacy', 'admin', 'pos'] as const
export type OrderSource = (typeof ORDER_SOURCES)[number]
export type AttemptState = 'initiated' | 'pending' | 'paid' | 'failed' | 'expired' | 'review' | 'refused'
export type AdvanceMethod = 'bank' | 'bkash' | 'nagad'

/** How an unpaid order may be paid instead; sums in taka. */
export interface PaymentChoicesJson {
  /** Gateways that take the sum, the default first. */
  online: ('sslcommerz' | 'bkash')[]
  /** The advance to send by hand; null where none is offered. */
  advance: number | null
  cash_on_delivery: boolean
}

/** A line of an order as its buyer sees it; money in taka. */
export interface OrderLineJson {
  product_id: number
  name: string
  unit: 'kg' | 'piece' | 'dozen' | 'bundle'
  quantity: number
  base_price: number
  price_on_order: number
  line_total: number
  tag_number: string | null
  booked_kg: number | null
  booked_rate_per_kg: number | null
  /** The date on which it comes. */
  delivery_on: string
  picture_url: string | null
}

/** A final weighing: what the animal was reckoned at, what it weighs, and what that makes dearer (below zero: cheaper). */
export interface SettlementJson {
  tag_number: string | null
  old_kg: number
  new_kg: number
  rate_per_kg: number
  difference: number
  at: string
}

/** An order with everything its buyer may see: the invoice. */
export interface OrderJson {
  id: number
  status: OrderStatus
  reason: string | null
  name: string
  phone: string
  email: string
  alternate_phone: string
  address: string
  landmark: string
  note: string
  area_name: string | null
  subtotal: number
  shipping_cost: number
  discount: number
  /** The coupon it was placed with: what it took off goods and delivery. */
  coupon: { code: string; discount: number; delivery_saved: number } | null
  total: number
  paid: number
  /** The change of the total by final weighings and returned goods; below zero: cheaper. */
  settlement: number
  /** The amount due (SQL `amount_due`): total + settlement - paid. Below zero: to be refunded. An ended order: -paid. */
  due: number
  payment_type: 'full' | 'partial' | 'cash_on_delivery'
  payment_gateway: 'NONE' | 'sslcommerz' | 'bkash'
  /** What was to be paid when ordering. */
  payable: number
  is_free_order: boolean
  /** The date on which everything has come: the latest of the list day and the goods' delivery dates. */
  deliver_on: string
  /** The date of the first of two deliveries; null for one delivery. */
  first_delivery_on: string | null
  placed_at: string
  /** When it is cancelled unless the money has come; null when nothing waits. */
  expires_at: string | null
  /** The phone is proven to be the buyer's, by a code or by the account. */
  phone_verified: boolean
  has_cattle: boolean
  lines: OrderLineJson[]
  payments: { kind: LedgerKind; method: string; amount: number; reference: string | null; at: string }[]
  /** Final weighings, oldest first. */
  settlements: SettlementJson[]
  /** The latest try to pay online, or null. */
  attempt: {
    gateway: 'sslcommerz' | 'bkash'
    state: AttemptState
    amount: number
    redirect_url: string | null
    /** The payer left the payment page by its cancel button. */
    is_cancelled: boolean
  } | null
  /** Transfers the buyer has reported. */
  advances: {
    method: AdvanceMethod
    transaction_id: string
    amount: number
    state: 'waiting' | 'verified' | 'refused'
    /** Another order was waiting with the same transaction id when it was reported. */
    is_duplicate: boolean
    at: string
  }[]
  events: { at: string; kind: string; to_status: OrderStatus | null }[]
  tracking_url: string
}
