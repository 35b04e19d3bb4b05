// The order request that the browser sends, and what its response means.
//
// The request is repeated under one idempotency key until a response arrives.
import { poishaToTaka } from '#lib/format/money.ts'
import type { PaymentType, Quote } from '#features/pricing/quote-rules.ts'
import type { PaymentChoice } from './checkout-rules.ts'
import { normalizeDetails, type GuestDetails } from './details-rules.ts'

/** The body of POST /customer-orders. */
export interface CustomerOrderRequest {
  /** With the id of a saved address, or the details as entered. */
  customer: GuestDetails & { id?: number }
  couponFreeShipping: number
  couponDiscountAmount: number
  totalProductDiscount: number
  products: { product_id: number; quantity: number; coupon: string | null }[]
  payment_gateway: 'NONE' | 'pgw'
  payable_amount: number
  payment_type: PaymentType
  partial_payment: number | null
  is_free_order: boolean
  expected_total: number
  /** Sent only when the shopper chose two deliveries. */
  deliveries?: 2
  /** Sent only when the shopper chose a day, or when days can be full: the shopper gets the day that was shown, or an error. */
  delivery_on?: string
  /** Sent only when the customer collects the order. */
  collection?: true
}

/** The chosen details of an order request. */
interface OrderChoices {
  choice: PaymentChoice
  couponCode: string | null
  /** The delivery day to ask for; null for the earliest possible one. */
  deliveryOn: string | null
}

/** Builds the body of POST /customer-orders. Amounts are in taka; the server compares them with its quote. */
export function customerOrderRequest(
  details: GuestDetails & { id?: number },
  quote: Quote,
  { choice, couponCode, deliveryOn }: OrderChoices,
): CustomerOrderRequest {
  const online = !quote.isFree && (choice === 'full' || choice === 'partial')
  const isPart = choice === 'partial' || choice === 'advance'
  return {
    customer: requestCustomer(details),
    couponFreeShipping: poishaToTaka(quote.deliverySaved),
    couponDiscountAmount: poishaToTaka(quote.couponDiscount),
    totalProductDiscount: poishaToTaka(quote.productDiscount),
    products: quote.lines.map((line) => ({ product_id: line.productId, quantity: line.quantityMilli / 1000, coupon: couponCode })),
    payment_gateway: online ? 'pgw' : 'NONE',
    payable_amount: poishaToTaka(quote.payable),
    payment_type: choice === 'advance' ? 'partial' : choice,
    partial_payment: isPart ? poishaToTaka(quote.payable) : null,
    is_free_order: quote.isFree,
    expected_total: poishaToTaka(quote.total),
    ...(quote.deliveries === 2 ? { deliveries: 2 } : {}),
    ...(deliveryOn === null ? {} : { delivery_on: deliveryOn }),
    ...(quote.isCollection ? { collection: true } : {}),
  }
}

/** The day on which the order comes, or the first of its two deliveries; null where none is known. */
export const shownDay = ({ deliveries, split, deliverOn }: Quote): string | null =>
  deliveries === 2 && split !== null ? split.dates[0] : deliverOn

function requestCustomer(details: GuestDetails & { id?: number }): CustomerOrderRequest['customer'] {
  return { ...(details.id === undefined ? {} : { id: details.id }), ...normalizeDetails(details) }
}

/** The customer and the lines of a request, without the ways to deliver and to pay. */
const purchaseOf = ({ customer, products }: CustomerOrderRequest): string =>
  JSON.stringify([customer, products.map((line) => [line.product_id, line.quantity])])

/** Whether a request orders exactly these lines of a cart for this customer. */
export function isRequestFor(
  request: CustomerOrderRequest,
  details: GuestDetails & { id?: number },
  items: readonly { productId: number; quantity: number }[],
): boolean {
  return purchaseOf(request) === JSON.stringify([requestCustomer(details), items.map((item) => [item.productId, item.quantity])])
}

/** An attempt to place an order: the idempotency key and the request, with those that were sent before under the key and had no answer. */
export interface OrderAttempt {
  key: string
  request: CustomerOrderRequest
  earlier: CustomerOrderRequest[]
}

/**
 * The attempt that sends a request. The key stays for the same customer and lines, also with another payment or without a used coupon: an order
 * that the key has placed is found then, and there is no second one.
 */
export function attemptFor(previous: OrderAttempt | null, request: CustomerOrderRequest, newKey: () => string): OrderAttempt {
  if (previous === null || purchaseOf(previous.request) !== purchaseOf(request)) return { key: newKey(), request, earlier: [] }
  const sent = [previous.request, ...previous.earlier]
  return { key: previous.key, request, earlier: sent.filter((one) => JSON.stringify(one) !== JSON.stringify(request)) }
}

/** Whether a response ends the attempt, so that the next one is a new order. After a server error or timeout the order may exist. */
export function endsAttempt(status: number): boolean {
  return status < 500 && status !== 408 && status !== 429
}

/** The result of placing an order, for the page to act on. */
export type PlacingOutcome =
  | { kind: 'pay'; url: string; orderId: number | null }
  | { kind: 'thanks'; orderId: number }
  | { kind: 'free'; orderId: number | null }
  /** The order was placed, but the payment page did not open. The invoice offers it again. */
  | { kind: 'pay-later'; orderId: number }
  | { kind: 'failed'; status: number; lines: string[]; goneIds: number[]; backToCart: boolean; nextDay?: string; noCollection?: boolean }

/** Parses the response to POST /customer-orders [§8]. `lines` is empty when it has no text: the caller shows the specified one. */
export function placingOutcome(status: number, response: unknown, isFree: boolean): PlacingOutcome {
  const body = (typeof response === 'object' && response !== null ? response : {}) as Record<string, unknown>
  const orderId = typeof body.order_id === 'number' ? body.order_id : null
  const succeeded = status >= 200 && status < 300
  if (succeeded && typeof body.redirect_url === 'string' && isPayable(body.redirect_url))
    return { kind: 'pay', url: body.redirect_url, orderId }
  if (succeeded && isFree) return { kind: 'free', orderId }
  if (succeeded && orderId !== null) return { kind: 'thanks', orderId }
  if (orderId !== null) return { kind: 'pay-later', orderId }
  return failedOutcome(status, body)
}

function failedOutcome(status: number, body: Record<string, unknown>): PlacingOutcome {
  const text = [body.error, body.message].find((line) => typeof line === 'string' && line !== '') as string | undefined
  const errors = status === 422 ? fieldTexts(body.errors) : []
  return {
    kind: 'failed',
    status,
    lines: errors.length > 0 ? errors : text === undefined ? [] : text.split('\n'),
    goneIds: Array.isArray(body.product_ids) ? body.product_ids.filter((id) => typeof id === 'number') : [],
    backToCart: status === 410,
    ...(typeof body.next_delivery_on === 'string' ? { nextDay: body.next_delivery_on } : {}),
    ...('collection' in Object(body.errors) ? { noCollection: true } : {}),
  }
}

function fieldTexts(errors: unknown): string[] {
  if (typeof errors !== 'object' || errors === null) return []
  return [
    ...new Set(
      Object.values(errors)
        .flat()
        .filter((text): text is string => typeof text === 'string'),
    ),
  ]
}

/** Accepts http(s) URLs and paths of this site; rejects `javascript:` URLs. */
function isPayable(url: string): boolean {
  return /^https?:\/\//.test(url) || /^\/(?![/\\])/.test(url)
}
