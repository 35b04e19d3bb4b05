// From the cart to the order, as a shopper walks it.
//
// Cart, details, preview, in this order; nobody goes past an empty cart, a price not accepted, goods that are gone or details that
// are missing. The order is sent once: under one key until an answer has come, however often the button is pressed.
import type { Poisha } from '#lib/format/money.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import { gatewayBounds } from '#features/payments/rules.ts'
import type { PaymentType, Quote } from '#features/pricing/quote-rules.ts'
import { type AreaCharges, areaCharges } from '#features/pricing/rules.ts'
import { normalizeDetails } from './details-rules.ts'
import type { GuestDetails } from './details-rules.ts'

export const CHECKOUT_STEPS = ['cart', 'details', 'preview'] as const
export type CheckoutStep = (typeof CHECKOUT_STEPS)[number]

/** The step an address like `/cart#details` stands for. */
export function stepOfHash(hash: string): CheckoutStep {
  const name = hash.replace(/^#/, '')
  return CHECKOUT_STEPS.find((step) => step === name) ?? 'cart'
}

export interface CheckoutReadiness {
  isEmpty: boolean
  /** Something in the cart cannot be had any more. */
  someGone: boolean
  /** A quantity cannot be ordered, or is more than what is left. */
  someWrong: boolean
  /** A changed price waits to be accepted. */
  someChanged: boolean
  detailsAreGood: boolean
}

/** What keeps a shopper in the first step, or null. */
export function cartBlocker(
  readiness: CheckoutReadiness,
): 'cart.empty-warning' | 'cart.gone-warning' | 'cart.quantity-warning' | 'cart.accept-warning' | null {
  if (readiness.isEmpty) return 'cart.empty-warning'
  if (readiness.someGone) return 'cart.gone-warning'
  if (readiness.someWrong) return 'cart.quantity-warning'
  return readiness.someChanged ? 'cart.accept-warning' : null
}

/** The step a shopper is really in when the address asks for one. A step once reached is not left because a price changes: it says so itself. */
export function reachedStep(wanted: CheckoutStep, readiness: CheckoutReadiness): CheckoutStep {
  if (wanted === 'cart' || readiness.isEmpty) return 'cart'
  return wanted === 'preview' && !readiness.detailsAreGood ? 'details' : wanted
}

/** How a shopper pays. `advance`: part now, by bank or mobile money, outside any gateway. */
export type PaymentChoice = PaymentType | 'advance'

/** Why an order cannot be paid online, as the key of a message that says what to do. */
export type OnlineProblem =
  | 'refusal.below-gateway-minimum'
  | 'refusal.above-gateway-maximum'
  /** Even the smallest part is more than a gateway takes. */
  | 'refusal.advance-above-gateway-maximum'

export interface PaymentOption {
  choice: PaymentChoice
  /** Why it cannot be chosen now, or null. */
  problem: 'payment.closed-now' | OnlineProblem | null
}

/** The ways to pay this order, in the order they are shown. Booking by an advance is for animals. */
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

/** Why the total cannot be paid online at once, or null. */
export function totalOnlineProblem(quote: Quote): OnlineProblem | null {
  return gatewayBounds(quote.total) === 'above-gateway-maximum'
    ? (partOnlineProblem(quote) ?? 'refusal.above-gateway-maximum')
    : partOnlineProblem(quote)
}

/** Why no part can be paid online, or null. */
function partOnlineProblem({ total, partial: { online } }: Quote): OnlineProblem | null {
  if (gatewayBounds(total) === 'below-gateway-minimum') return 'refusal.below-gateway-minimum'
  return online.min > online.max ? 'refusal.advance-above-gateway-maximum' : null
}

/** How a choice is quoted: the type, and the part that goes with it. */
export function quotedPayment(
  choice: PaymentChoice | null,
  typed: Poisha | null,
  minimum: Poisha,
): { paymentType: PaymentType | null; partial: Poisha | null; byHand?: boolean } {
  if (choice === 'advance') return { paymentType: 'partial', partial: minimum, byHand: true }
  return { paymentType: choice, partial: choice === 'partial' ? typed : null }
}

export interface PlacingState {
  readiness: CheckoutReadiness
  option: PaymentOption | null
  quote: Quote
  agreed: boolean
}

/** What must be done before the order can be placed, as the key of its message; null when it can. */
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
  /** With the id of a saved address, or as it was written. */
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
  /** Sent only where two deliveries are chosen. */
  deliveries?: 2
}

/** What is sent to place an order; sums in taka, the shop compares them with its own. The details have the id of a saved address, or none. */
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

/** A try to place an order: its key, and the body it was made for. */
export interface OrderAttempt {
  key: string
  body: string
}

/** The attempt for a body: the one kept, when nothing in the body has changed since; else a new one. */
export function attemptFor(kept: OrderAttempt | null, body: string, newKey: () => string): OrderAttempt {
  return kept?.body === body ? kept : { key: newKey(), body }
}

/** Whether an answer settles the attempt, so that the next one is a new order. After silence or trouble at the server it may have been placed. */
export function settlesAttempt(status: number): boolean {
  return status < 500 && status !== 408 && status !== 429
}

/** What came of placing an order. */
export type PlacingOutcome =
  | { kind: 'pay'; url: string; orderId: number | null }
  | { kind: 'thanks'; orderId: number }
  | { kind: 'free'; orderId: number | null }
  /** It stands, but the payment could not be begun: its invoice offers it again. */
  | { kind: 'pay-later'; orderId: number }
  | { kind: 'failed'; status: number; lines: string[]; goneIds: number[]; backToCart: boolean }

/** Reads the shop's answer to an order [§8]. Lines are empty when the answer says nothing readable: the caller has the specified text. */
export function placingOutcome(status: number, answer: unknown, isFree: boolean): PlacingOutcome {
  const said = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
  const orderId = typeof said.order_id === 'number' ? said.order_id : null
  const succeeded = status >= 200 && status < 300
  if (succeeded && typeof said.redirect_url === 'string' && isPayable(said.redirect_url))
    return { kind: 'pay', url: said.redirect_url, orderId }
  if (succeeded && isFree) return { kind: 'free', orderId }
  if (succeeded && orderId !== null) return { kind: 'thanks', orderId }
  if (orderId !== null) return { kind: 'pay-later', orderId }
  const text = [said.error, said.message].find((line) => typeof line === 'string' && line !== '') as string | undefined
  const all = status === 422 ? fieldTexts(said.errors) : []
  return {
    kind: 'failed',
    status,
    lines: all.length > 0 ? all : text === undefined ? [] : text.split('\n'),
    goneIds: Array.isArray(said.product_ids) ? said.product_ids.filter((id) => typeof id === 'number') : [],
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

// A gateway's page, or one of ours: never a script.
function isPayable(url: string): boolean {
  return /^https?:\/\//.test(url) || /^\/(?![/\\])/.test(url)
}

/** An area as `GET /api/areas` gives it. */
export interface AreaWithCharges {
  id: number
  area_name: string
  /** Taka; null: the product's own charge holds; false: closed for that group. */
  cattle_charge: number | null | false
  produce_charge: number | null | false
}

/** An area's charges as the rules take them; null when none is chosen. */
export function chargesOf(area: AreaWithCharges | null): AreaCharges | null {
  if (area === null) return null
  const charge = (taka: number | null | false) => (taka === false ? 'closed' : taka === null ? null : Math.round(taka * 100))
  return areaCharges({ cattle: charge(area.cattle_charge), produce: charge(area.produce_charge) })
}

/** Why these goods cannot go to the area, as the key of its message, or null. */
export function areaRefusal(
  area: AreaWithCharges | null,
  groups: readonly DeliveryGroup[],
): 'refusal.area-closed-for-cattle' | 'refusal.area-closed-for-produce' | null {
  if (area?.cattle_charge === false && groups.includes('cattle')) return 'refusal.area-closed-for-cattle'
  return area?.produce_charge === false && groups.includes('produce') ? 'refusal.area-closed-for-produce' : null
}
