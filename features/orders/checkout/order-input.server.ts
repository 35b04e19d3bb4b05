import { quantityProblem, readQuantity } from '#features/catalog/quantity-rules.ts'
import type { GatewayName, Gateways } from '#features/payments/gateway.ts'
import { normalizeCouponCode } from '#features/pricing/coupons/rules.ts'
import { readTaka } from '#lib/format/money.ts'
import type { Text } from '#lib/i18n/translate.ts'
import { sha256Hex } from '#lib/ids/ids.server.ts'
import { requestHash } from '#lib/http/idempotency-key.server.ts'
import type { Buyer } from './checkout.server.ts'
import { type GuestDetails, guestDetailsProblems } from './details-rules.ts'
import type { CustomerOrderBody } from './forms.ts'
import type { OrderInput } from './place-order.server.ts'

type Gateway = GatewayName | 'NONE'

/**
 * Validates a request without lookups: gateway and coupon code, or errors by field. `details`: the contact details of the request; null when
 * a saved address replaces them.
 */
export function validateRequest(
  body: CustomerOrderBody,
  details: GuestDetails | null,
  { gateways, isEmailOptional }: { gateways: Gateways; isEmailOptional: boolean },
  t: Text,
): { ok: true; gateway: Gateway; couponCode: string | null } | { ok: false; errors: Record<string, string[]> } {
  const errors = details === null ? {} : detailsErrors(details, { isCollection: body.collection === true, isEmailOptional }, t)
  body.products.forEach((line, index) => {
    const problem = quantityProblem(line.quantity)
    if (problem !== null) errors[`products.${index}.quantity`] = [t(problem)]
  })
  const gateway = chooseGateway(body, gateways)
  if (gateway === null) errors.payment_gateway = [t('refusal.gateway-not-offered')]
  const codes = couponCodes(body)
  if (codes.length > 1) errors.coupon = [t('coupon.one-only')]
  if (gateway === null || Object.keys(errors).length > 0) return { ok: false, errors }
  return { ok: true, gateway, couponCode: codes[0] ?? null }
}

function detailsErrors(
  details: GuestDetails,
  terms: { isCollection: boolean; isEmailOptional: boolean },
  t: Text,
): Record<string, string[]> {
  const problems = Object.entries(guestDetailsProblems(details, terms))
  return Object.fromEntries(problems.map(([field, problem]) => [`customer.${field}`, [t(problem)]]))
}

/** The distinct coupon codes of the request. Only one is allowed. */
function couponCodes(body: CustomerOrderBody): string[] {
  const codes = body.products.flatMap(({ coupon }) => (typeof coupon === 'string' && coupon.trim() !== '' ? [coupon] : []))
  return [...new Set(codes.map((code) => normalizeCouponCode(code) ?? code))]
}

/** The requested gateway, `NONE` for cash on delivery and advances by hand; null when it is not available. */
function chooseGateway(body: CustomerOrderBody, gateways: Gateways): Gateway | null {
  if (body.payment_type === 'cash_on_delivery') return body.payment_gateway === 'NONE' ? 'NONE' : null
  if (body.payment_gateway === 'NONE') return 'NONE'
  const name = body.payment_gateway === 'pgw' ? gateways.default : body.payment_gateway
  return name && gateways[name] ? name : null
}

/** The idempotency key as stored. Each account has its own namespace. */
export function scopedIdempotencyKey(userId: number | null, key: string): string {
  return `${userId ?? 'guest'}:${key}`
}

export interface ValidRequest {
  body: CustomerOrderBody
  details: GuestDetails
  buyer: Buyer
  gateway: Gateway
  couponCode: string | null
  /** The order access token of the browser. */
  browser: string
  viewKey: string
  source: 'web' | 'legacy'
}

/** The order of a valid request. */
export function toOrderInput({ body, details, buyer, gateway, couponCode, browser, viewKey, source }: ValidRequest): OrderInput {
  return {
    source,
    customer: { ...details, alternatePhone: details.alternate_phone },
    couponCode,
    areaId: details.area_id ?? 0,
    lines: body.products.map((line) => ({ productId: line.product_id, quantityMilli: readQuantity(line.quantity) ?? 0 })),
    paymentType: body.payment_type,
    gateway,
    partial: readTaka(partialAmount(body)),
    deliveries: body.deliveries ?? 1,
    deliveryOn: body.delivery_on ?? null,
    isCollection: body.collection === true,
    lang: buyer.lang,
    userId: buyer.userId,
    isPhoneVerified: buyer.verifiedPhone !== null && buyer.verifiedPhone === details.phone,
    viewKey,
    browserHash: sha256Hex(browser),
    holder: { browserHash: buyer.browser === null ? null : sha256Hex(browser), ip: buyer.ip },
    idempotencyKey: scopedIdempotencyKey(buyer.userId, buyer.idempotencyKey),
    // A request that is repeated after the cut-off shows another day.
    requestHash: requestHash({ ...body, expected_day: undefined }),
  }
}

function partialAmount({ payment_type, partial_payment, payable_amount }: CustomerOrderBody): unknown {
  if (payment_type !== 'partial') return null
  return typeof partial_payment === 'number' ? partial_payment : payable_amount
}
