import type { Unit } from '#features/catalog/types.ts'
import type { LedgerKind } from '#features/ledger/rules.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import type { AttemptState } from '#features/payments/payment-status.ts'
import type { PaymentType } from '#features/pricing/quote-rules.ts'
import type { OrderStatus } from './rules.ts'
import type { AdvanceState } from './advances/advance-history-rules.ts'

export const ORDER_SOURCES = ['web', 'legacy', 'admin', 'pos'] as const
export type OrderSource = (typeof ORDER_SOURCES)[number]
/** How an advance is sent by hand, in the order in which pages offer it. */
export const ADVANCE_METHODS = ['bkash', 'nagad', 'bank'] as const
export type AdvanceMethod = (typeof ADVANCE_METHODS)[number]

/** Other payment methods for an unpaid order, or ways to pay the rest online; amounts in taka. */
export interface PaymentChoicesJson {
  /** Gateways that accept the amount, the default first; for an unpaid order without its own, which has a button already. */
  online: GatewayName[]
  /** The amount to pay online. */
  amount: number
  is_rest: boolean
  /** The advance to send by hand; null when it is not offered. */
  advance: number | null
  cash_on_delivery: boolean
}

/** An order line for its customer; money in taka. */
export interface OrderLineJson {
  product_id: number
  name: string
  unit: Unit
  quantity: number
  /** The quantity that came back. */
  returned: number
  base_price: number
  price_on_order: number
  line_total: number
  tag_number: string | null
  /** Empty or absent: none. */
  note?: string
  booked_kg: number | null
  booked_rate_per_kg: number | null
  /** The delivery date. */
  delivery_on: string
  picture_url: string | null
}

/** A final weighing: the booked weight, the final weight, the rate, and the change of the price (negative: cheaper). */
export interface SettlementJson {
  tag_number: string | null
  old_kg: number
  new_kg: number
  rate_per_kg: number
  difference: number
  at: string
}

/** An order with all fields that its customer may see: the invoice. Money in taka. */
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
  /** The coupon of the order, and what it took off the products and the delivery. */
  coupon: { code: string; discount: number; delivery_saved: number } | null
  total: number
  paid: number
  /** The change of the total by final weighings and returns; negative: cheaper. */
  settlement: number
  /** Retained of refunds. */
  fee: number
  /** An amount due that will not be paid; negative: an overpayment that is retained. */
  written_off: number
  /** The amount due (SQL `amount_due`): total + settlement + fee - written_off - paid, or fee - written_off - paid for an ended order. Negative: to be refunded. */
  due: number
  payment_type: PaymentType
  payment_gateway: 'NONE' | GatewayName
  /** The amount to pay when ordering. */
  payable: number
  is_free_order: boolean
  /** The unpaid part of the advance of a booking by staff, which has nothing payable online. */
  advance_missing: number
  /** The date of the last delivery: the later of the list day and the products' delivery dates. */
  deliver_on: string
  /** The date of the first of two deliveries; null for one delivery. */
  first_delivery_on: string | null
  /** The customer collects the order; the address is that of the place of collection. */
  is_collection: boolean
  /** Its products were handed over at the counter: it has no delivery. */
  is_over_counter: boolean
  placed_at: string
  /** The payment deadline, when the order is cancelled; null when it waits for no payment. */
  expires_at: string | null
  /** Nothing is paid, and staff review a payment. */
  is_in_review: boolean
  /** The phone was verified by a code, or is the account's verified phone. */
  phone_verified: boolean
  /** Handed over, and the reviews of all its products are published. */
  is_reviewed: boolean
  has_cattle: boolean
  lines: OrderLineJson[]
  payments: { kind: LedgerKind; method: string; amount: number; reference: string | null; at: string }[]
  /** Final weighings, oldest first. */
  settlements: SettlementJson[]
  /** The latest online payment attempt; before the payment has come, one that staff review. Null without any. */
  attempt: {
    gateway: GatewayName
    state: AttemptState
    amount: number
    redirect_url: string | null
    /** It pays the rest of an order whose promised payment has come. */
    is_rest: boolean
    /** The payer left the payment page by its cancel button. */
    is_cancelled: boolean
  } | null
  /** Transfers that the customer reported. */
  advances: {
    method: AdvanceMethod
    transaction_id: string
    amount: number
    state: AdvanceState
    /** Another order had a waiting report with the same transaction id when this one was reported. */
    is_duplicate: boolean
    at: string
  }[]
  events: { at: string; kind: string; to_status: OrderStatus | null }[]
  tracking_url: string
}
