// The steps of the checkout and its payment options.
//
// The steps are cart, details, preview. An empty cart, an unaccepted price, an unavailable product or missing details block the next step.
import { type Poisha, takaToPoisha } from '#lib/format/money.ts'
import type { AreaJson, DeliveryGroup } from '#features/catalog/types.ts'
import type { Settings } from '#features/settings/settings.ts'
import { gatewayBounds } from '#features/payments/rules.ts'
import type { PaymentType, Quote } from '#features/pricing/quote-rules.ts'
import { type AreaCharges, areaCharges, findAreaClosure } from '#features/pricing/rules.ts'

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
  hasGone: boolean
  /** A quantity is not allowed, or exceeds the stock. */
  hasInvalid: boolean
  /** The shopper has not accepted a changed price. */
  hasChanged: boolean
  areDetailsValid: boolean
}

/** The message that blocks the cart step, or null. */
export function cartBlocker(
  readiness: CheckoutReadiness,
): 'cart.empty-warning' | 'cart.gone-warning' | 'cart.quantity-warning' | 'cart.accept-warning' | null {
  if (readiness.isEmpty) return 'cart.empty-warning'
  if (readiness.hasGone) return 'cart.gone-warning'
  if (readiness.hasInvalid) return 'cart.quantity-warning'
  return readiness.hasChanged ? 'cart.accept-warning' : null
}

/** The step to show for a requested one. A changed price does not send the shopper back: the step shows it. */
export function reachedStep(requested: CheckoutStep, readiness: CheckoutReadiness): CheckoutStep {
  if (requested === 'cart' || readiness.isEmpty) return 'cart'
  return requested === 'preview' && !readiness.areDetailsValid ? 'details' : requested
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
  problem: 'payment.closed-now' | 'payment.cod-code' | OnlineProblem | null
}

/** The total from which cash on delivery needs a code at the order's phone; null: it needs none, or the shop cannot send one. */
export function codCodeFrom({ cash_on_delivery: { is_code_needed, code_from_taka } }: Settings, sendsSms: boolean): Poisha | null {
  return is_code_needed && sendsSms ? takaToPoisha(code_from_taka) : null
}

/** Whether an order of this total whose phone is not verified must be paid in another way. `from`: see `codCodeFrom`. */
export const isCodeMissing = (total: Poisha, from: Poisha | null): boolean => from !== null && total >= from

interface PayableShop {
  hasGateway: boolean
  hasCattle: boolean
  hasAccount: boolean
  /** Of `codCodeFrom`; null for a verified phone. */
  codCodeFrom: Poisha | null
}

/** The payment options in display order. Only orders with animals offer the advance by hand, where the shop has an account for it. */
export function paymentOptions(quote: Quote, shop: PayableShop): PaymentOption[] {
  if (quote.isFree) return [{ choice: 'full', problem: null }]
  const online = (problem: OnlineProblem | null) => (shop.hasGateway ? problem : 'payment.closed-now')
  const cash = { choice: 'cash_on_delivery', problem: isCodeMissing(quote.total, shop.codCodeFrom) ? 'payment.cod-code' : null } as const
  const byHand = shop.hasAccount && shop.hasCattle && quote.lines.some((line) => line.advance > 0)
  return [
    { choice: 'full', problem: online(totalOnlineProblem(quote)) },
    { choice: 'partial', problem: online(partOnlineProblem(quote)) },
    ...(byHand ? [{ choice: 'advance' as const, problem: null }] : []),
    ...(quote.paymentTypes.includes('cash_on_delivery') ? [cash] : []),
  ]
}

/** Why an order cannot be paid in any way; null when it can, if need be after a code. */
export function unpayable(options: readonly PaymentOption[]): PaymentOption['problem'] {
  return options.every(({ problem }) => problem !== null && problem !== 'payment.cod-code') ? (options[0]?.problem ?? null) : null
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
  if (state.readiness.hasGone) return 'place.needs-available'
  if (state.readiness.hasInvalid) return 'cart.quantity-warning'
  if (state.readiness.hasChanged) return 'place.needs-accept'
  if (state.option === null || state.option.problem !== null) return 'place.needs-payment'
  if (state.quote.problems.some((problem) => problem.reason === 'partial-amount')) return 'place.needs-amount'
  for (const { reason } of state.quote.problems)
    if (reason === 'area-closed-for-cattle' || reason === 'area-closed-for-produce') return `refusal.${reason}` as const
  // The page clears a day that is not possible; without any day nothing can be ordered.
  if (state.quote.problems.some((problem) => problem.reason === 'delivery-day')) return 'refusal.no-delivery-day'
  return state.agreed ? null : 'place.needs-terms'
}

/** The charges of an area for the pricing rules; null without an area. */
export function chargesOf(area: AreaJson | null): AreaCharges | null {
  if (area === null) return null
  const charge = (taka: number | null | false) => (taka === false ? 'closed' : taka === null ? null : takaToPoisha(taka))
  return areaCharges({
    cattle: charge(area.cattle_charge),
    produce: charge(area.produce_charge),
    ...(area.closed_weekdays ? { closed_weekdays: area.closed_weekdays } : {}),
  })
}

/** The message key when the area is closed for one of the product groups, or null. */
export function findAreaError(
  area: AreaJson | null,
  groups: readonly DeliveryGroup[],
): 'refusal.area-closed-for-cattle' | 'refusal.area-closed-for-produce' | null {
  const closure = findAreaClosure(groups, chargesOf(area))
  return closure && `refusal.${closure}`
}
