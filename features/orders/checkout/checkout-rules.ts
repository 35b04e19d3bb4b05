// The steps of the checkout, its payment options, and the order request that the browser sends.
//
// The steps are cart, details, preview. An empty cart, an unaccepted price, an unavailable product or missing details block the next step.
// The request is repeated under one idempotency key until a response arrives.
import type { Poisha } from '#lib/format/money.ts'
import { poishaToTaka, takaToPoisha } from '#lib/format/money.ts'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import { gatewayBounds } from '#features/payments/rules.ts'
import type { PaymentType, Quote } from '#features/pricing/quote-rules.ts'
import { type AreaCharges, areaCharges } from '#features/pricing/rules.ts'
import { normalizeDetails } from './details-rules.ts'
import type { GuestDetails } from './details-rules.ts'

export const CHECKOUT_STEPS = ['cart', 'details', 'preview'] as const
export type CheckoutStep = (typeof CHECKOUT_STEPS)[number]

/** The step of a URL such as `/cart#details`. */
export function stepOfHash(hash: string): CheckoutStep {
  const name = hash.replace(/^#/, '')
  return CHECKOUT_STEPS.find((step) => step === name) ?? 'cart'
}

export interface CheckoutReadiness {
  isEmpty: boolean
  /** A product in the cart is not available. */
  someGone: boolean
  /** A quantity is not allowed, or exceeds the stock. */
  someWrong: boolean
  /** The shopper has not accepted a changed price. */
  someChanged: boolean
  detailsAreGood: boolean
}

/** The message that blocks the cart step, or null. */
export function cartBlocker(
  readiness: CheckoutReadiness,
): 'cart.empty-warning' | 'cart.gone-warning' | 'cart.quantity-warning' | 'cart.accept-warning' | null {
  if (readiness.isEmpty) return 'cart.empty-warning'
  if (readiness.someGone) return 'cart.gone-warning'
  if (readiness.someWrong) return 'cart.quantity-warning'
  return readiness.someChanged ? 'cart.accept-warning' : null
}

/** The step to show for a requested one. A changed price does not send the shopper back: the step shows it. */
export function reachedStep(requested: CheckoutStep, readiness: CheckoutReadiness): CheckoutStep {
  if (requested === 'cart' || readiness.isEmpty) return 'cart'
  return requested === 'preview' && !readiness.detailsAreGood ? 'details' : requested
}

/** The payment method. `advance`: a part in advance by bank or mobile money, without a gateway. */
export type PaymentChoice = PaymentType | 'advance'

/** The message key for an order that cannot be paid online. */
export type OnlineProblem =
  | 'refusal.below-gateway-minimum'
  | 'refusal.above-gateway-maximum'
  /** The minimum partial payment exceeds the maximum of the gateways. */
  | 'refusal.advance-above-gateway-maximum'

export interface PaymentOption {
  choice: PaymentChoice
  /** The message key when it is not selectable, or null. */
  problem: 'payment.closed-now' | OnlineProblem | null
}

/** The payment options in display order. Only orders with animals offer the advance by hand. */
export function paymentOptions(quote: Quote, shop: { hasGateway: boolean; hasCattle: boolean }): PaymentOption[] {
  if (quote.isFree) return [{ choice: 'full', problem: null }]
  const online = (problem: OnlineProblem | null) => (shop.hasGateway ? problem : 'payment.closed-now')
  const byHand = shop.hasCattle && quote.lines.some((line) => line.advance > 0)
  return [
    { choice: 'full', problem: online(totalOnlineProblem(quote)) },
    { choice: 'partial', problem: online(partOnlineProblem(quote)) },
    ...(byHand ? [{ choice: 'advance' as const, problem: null }] : []),
    ...(quote.paymentTypes.includes('cash_on_delivery') ? [{ choice: 'cash_on_delivery' as const, problem: null }] : []),
  ]
}

/** The problem with paying the total online, or null. */
export function totalOnlineProblem(quote: Quote): OnlineProblem | null {
  return gatewayBounds(quote.total) === 'above-gateway-maximum'
    ? (partOnlineProblem(quote) ?? 'refusal.above-gateway-maximum')
    : partOnlineProblem(quote)
}

/** The problem with paying a part online, or null. */
function partOnlineProblem({ total, partial: { online } }: Quote): OnlineProblem | null {
  if (gatewayBounds(total) === 'below-gateway-minimum') return 'refusal.below-gateway-minimum'
  return online.min > online.max ? 'refusal.advance-above-gateway-maximum' : null
}

/** The payment type and partial amount with which a choice is quoted. */
export function quotedPayment(
  choice: PaymentChoice | null,
  entered: Poisha | null,
  minimum: Poisha,
): { paymentType: PaymentType | null; partial: Poisha | null; byHand?: boolean } {
  if (choice === 'advance') return { paymentType: 'partial', partial: minimum, byHand: true }
  return { paymentType: choice, partial: choice === 'partial' ? entered : null }
}

export interface PlacingState {
  readiness: CheckoutReadiness
  option: PaymentOption | null
  quote: Quote
  agreed: boolean
}

/** The message key of the first thing that blocks placing the order; null when nothing does. */
export function placingBlocker(state: PlacingState) {
  if (state.readiness.isEmpty) return 'cart.empty'
  if (state.readiness.someGone) return 'place.needs-available'
  if (state.readiness.someWrong) return 'cart.quantity-warning'
  if (state.readiness.someChanged) return 'place.needs-accept'
  if (state.option === null || state.option.problem !== null) return 'place.needs-payment'
  if (state.quote.problems.some((problem) => problem.reason === 'partial-amount')) return 'place.needs-amount'
  for (const { reason } of state.quote.problems)
    if (reason === 'area-closed-for-cattle' || reason === 'area-closed-for-produce') return `refusal.${reason}` as const
  return state.agreed ? null : 'place.needs-terms'
}

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
}

/** Builds the body of POST /customer-orders. Amounts are in taka; the server compares them with its quote. */
export function customerOrderRequest(
  details: GuestDetails & { id?: number },
  quote: Quote,
  choice: PaymentChoice,
  couponCode: string | null,
): CustomerOrderRequest {
  const online = !quote.isFree && (choice === 'full' || choice === 'partial')
  const isPart = choice === 'partial' || choice === 'advance'
  return {
    customer: { ...(details.id === undefined ? {} : { id: details.id }), ...normalizeDetails(details) },
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
  }
}

/** An attempt to place an order: the idempotency key and the request body. */
export interface OrderAttempt {
  key: string
  body: string
}

/** Reuses the previous attempt for an equal body, so that its key stays; else starts a new one. */
export function attemptFor(previous: OrderAttempt | null, body: string, newKey: () => string): OrderAttempt {
  return previous?.body === body ? previous : { key: newKey(), body }
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
  | { kind: 'failed'; status: number; lines: string[]; goneIds: number[]; backToCart: boolean }

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

/** An area of `GET /api/areas`. */
export interface AreaWithCharges {
  id: number
  area_name: string
  /** In taka. Null: the product's own charge applies. False: no delivery for that group. */
  cattle_charge: number | null | false
  produce_charge: number | null | false
}

/** The charges of an area for the pricing rules; null without an area. */
export function chargesOf(area: AreaWithCharges | null): AreaCharges | null {
  if (area === null) return null
  const charge = (taka: number | null | false) => (taka === false ? 'closed' : taka === null ? null : takaToPoisha(taka))
  return areaCharges({ cattle: charge(area.cattle_charge), produce: charge(area.produce_charge) })
}

/** The message key when the area is closed for one of the product groups, or null. */
export function findAreaError(
  area: AreaWithCharges | null,
  groups: readonly DeliveryGroup[],
): 'refusal.area-closed-for-cattle' | 'refusal.area-closed-for-produce' | null {
  if (area?.cattle_charge === false && groups.includes('cattle')) return 'refusal.area-closed-for-cattle'
  return area?.produce_charge === false && groups.includes('produce') ? 'refusal.area-closed-for-produce' : null
}
