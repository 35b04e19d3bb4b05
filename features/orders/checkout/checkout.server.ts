import type { GatewayName, Gateways } from '#features/payments/gateway.ts'
import type { Quote } from '#features/pricing/quote-rules.ts'
import { type MessageKey, translate } from '#lib/i18n/translate.ts'
import { randomToken, sha256Hex } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, readTaka } from '#lib/format/money.ts'
import { findDelivery } from '#features/customers/address-queries.server.ts'
import { recordFailedCoupon, refundCouponRateLimit } from '#features/pricing/coupons/coupon-rate-limit.server.ts'
import { couponRefusalText } from '#features/pricing/coupons/refusal-text.ts'
import { normaliseCode } from '#features/pricing/coupons/rules.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { quantityProblem, readQuantity } from '#features/catalog/quantity-rules.ts'
import { browserOfReplay, browserSecretOfOrder } from '../order-access-token.server.ts'
import { totalOnlineProblem } from './checkout-rules.ts'
import { type GuestDetails, guestDetailsProblems, isEmail, normalizeDetails } from './details-rules.ts'
import type { CustomerOrderBody } from './forms.ts'
import { refundOrderRateLimit, type OrderSender, checkOrderRateLimit } from './order-rate-limit.server.ts'
import {
  findReplayedOrder,
  requestHash,
  type OrderInput,
  placeOrder,
  type PlaceOrderDeps,
  type PlaceOrderResult,
} from './place-order.server.ts'
import { unavailableText, quoteErrors, tooManyHeldText, tooManyOrdersText } from './checkout-errors.server.ts'

export interface TakeOrderDeps extends PlaceOrderDeps {
  gateways: Gateways
}

/** The sender of an order request. */
export interface Buyer {
  userId: number | null
  /** The phone that the signed-in customer has confirmed by a code; null without one. */
  provenPhone: string | null
  lang: Lang
  /** The secret that this server issued to the browser; null for a request without one. */
  browser: string | null
  ip: string
  idempotencyKey: string
  /** Whether the key is known to this sender alone, so that a repeated request may be given the secret of the first one's order. */
  isKeySecret: boolean
}

export type TakenOrder =
  /** `newBrowser`: the secret that the browser must keep to open the order; null where it has one, or may not have this one. */
  | { ok: true; orderId: number; payOnline: boolean; newBrowser: string | null; shown: boolean }
  | { ok: false; status: 404 | 409 | 410 | 429 | 503; key: MessageKey; text?: string; more?: Record<string, unknown> }
  | { ok: false; status: 422; errors: Record<string, string[]>; text?: string; more?: Record<string, unknown> }

type Text = (key: MessageKey, params?: Record<string, string>) => string

/** Reads what a shopper sent, places the order, and says what came of it in the shopper's words. */
export async function checkout(
  deps: TakeOrderDeps,
  body: CustomerOrderBody,
  buyer: Buyer,
  source: 'web' | 'legacy' = 'web',
): Promise<TakenOrder> {
  const t = translate(buyer.lang) as Text
  const saved =
    buyer.userId !== null && typeof body.customer.id === 'number' ? await findDelivery(deps.db, buyer.userId, body.customer.id) : undefined
  // An account may have no email; what was written for the order helps.
  if (saved?.email === '' && isEmail(sanitizeText(body.customer.email))) saved.email = sanitizeText(body.customer.email)
  const errors = requestErrors(body, saved === undefined ? body.customer : null, t)
  const gateway = chooseGateway(body, deps.gateways)
  if (gateway === null) errors.payment_gateway = [t('refusal.gateway-not-offered')]
  const codes = couponCodes(body)
  if (codes.length > 1) errors.coupon = [t('coupon.one-only')]
  if (gateway === null || Object.keys(errors).length > 0) return { ok: false, status: 422, errors }
  const viewKey = randomToken(12)
  const browser = buyer.browser ?? browserSecretOfOrder(deps.env.sessionSecret, viewKey)
  const input = toOrderInput(body, saved ?? normalizeDetails(body.customer), buyer, gateway, { browser, viewKey }, source)
  input.couponCode = codes[0] ?? null
  const payOnline = gateway !== 'NONE'
  // An order that was placed by the first of two requests stands, whatever would refuse the second: an address that left the book, a limit.
  const orRepeat = async (refusal: TakenOrder): Promise<TakenOrder> => {
    const earlier = await findReplayedOrder(deps.db, input)
    if (earlier === null) return refusal
    return { ok: true, orderId: earlier, payOnline, newBrowser: await browserOfReplay(deps, buyer, earlier), shown: false }
  }
  if (saved === null) return orRepeat({ ok: false, status: 404, key: 'address.gone' })

  const counted = await countRequest(deps, input, buyer)
  if (counted.refusal !== null) return orRepeat(counted.refusal)
  let disagreement: QuoteMismatch | null = null
  const result = await placeOrder(deps, input, (quote) => {
    disagreement = findQuoteMismatch(body, input, quote, t, buyer.lang)
    return disagreement === null
  })
  await counted.settle(result)
  if (!result.ok && result.reason === 'too-many-held') {
    const { shop } = await deps.facts.settings()
    const text = tooManyHeldText(result, { isPhoneProven: input.isPhoneProven, phone: shop.phone }, buyer.lang)
    return { ok: false, status: 409, key: 'refusal.too-many-held', text, more: { held: result.held } }
  }
  if (!result.ok) return refusalOf(result, input, disagreement, t, buyer.lang)
  const isNewBrowser = buyer.browser === null
  const newBrowser = result.replayed ? await browserOfReplay(deps, buyer, result.orderId) : isNewBrowser ? browser : null
  return { ok: true, orderId: result.orderId, payOnline, newBrowser, shown: result.shown }
}

type Counted = { refusal: TakenOrder } | { refusal: null; settle(result: PlaceOrderResult): Promise<void> }

/** Counts the request against the limits of coupon codes and of orders, before anything is looked up. `settle` takes back what does not count. */
async function countRequest(deps: TakeOrderDeps, input: OrderInput, buyer: Buyer): Promise<Counted> {
  const guesser = input.couponCode === null ? null : buyer.userId
  const guessWait = guesser === null ? 0 : await recordFailedCoupon(deps, guesser)
  if (guessWait > 0) return { refusal: { ok: false, status: 429, key: 'error.too-many', more: { retryAfterSeconds: guessWait } } }
  const sender = senderOf(input, buyer)
  const wait = await checkOrderRateLimit(deps, sender)
  if (wait > 0) {
    if (guesser !== null) await refundCouponRateLimit(deps, guesser)
    return { refusal: { ok: false, status: 429, key: 'refusal.too-many-orders', ...tooManyOrdersText(wait, buyer.lang) } }
  }
  async function settle(result: PlaceOrderResult): Promise<void> {
    const isUnknownCode = !result.ok && result.reason === 'coupon' && result.refusal === 'unknown'
    if (guesser !== null && !isUnknownCode) await refundCouponRateLimit(deps, guesser)
    // A sender who holds too many animals was told what to do: trying again and again meets the limit of orders.
    const counts = result.ok ? !result.replayed : result.reason === 'too-many-held'
    if (!counts) await refundOrderRateLimit(deps, sender)
  }
  return { refusal: null, settle }
}

function senderOf(input: OrderInput, buyer: Buyer): OrderSender {
  return {
    phone: input.customer.phone,
    isOwnPhone: input.isPhoneProven,
    userId: buyer.userId,
    browserHash: buyer.browser === null ? null : input.browserHash,
    ip: buyer.ip,
  }
}

/** The codes of the coupons an order names; there should be one at most. */
function couponCodes(body: CustomerOrderBody): string[] {
  const named = body.products.flatMap(({ coupon }) => (typeof coupon === 'string' && coupon.trim() !== '' ? [coupon] : []))
  return [...new Set(named.map((typed) => normaliseCode(typed) ?? typed))]
}

/** What is wrong with a request by itself; `details` are those that were written for it, null where a saved address says them. */
function requestErrors(body: CustomerOrderBody, details: GuestDetails | null, t: Text): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  const problems = details === null ? {} : guestDetailsProblems(details)
  for (const [field, problem] of Object.entries(problems)) errors[`customer.${field}`] = [t(problem)]
  body.products.forEach((line, index) => {
    const problem = quantityProblem(line.quantity)
    if (problem !== null) errors[`products.${index}.quantity`] = [t(problem)]
  })
  return errors
}

/** The gateway that is meant; null when it is not one that can be had. Whoever pays on delivery or by hand needs none. */
function chooseGateway(body: CustomerOrderBody, gateways: Gateways): GatewayName | 'NONE' | null {
  if (body.payment_type === 'cash_on_delivery') return body.payment_gateway === 'NONE' ? 'NONE' : null
  if (body.payment_gateway === 'NONE') return 'NONE'
  const name = body.payment_gateway === 'pgw' ? gateways.default : body.payment_gateway
  return name && gateways[name] ? name : null
}

/** The key of a request as it is kept: a customer's keys are apart from other people's. */
export function scopedIdempotencyKey(userId: number | null, key: string): string {
  return `${userId ?? 'guest'}:${key}`
}

export function toOrderInput(
  body: CustomerOrderBody,
  details: GuestDetails,
  buyer: Buyer,
  gateway: GatewayName | 'NONE',
  { browser, viewKey }: { browser: string; viewKey: string },
  source: 'web' | 'legacy',
): OrderInput {
  const part =
    body.payment_type === 'partial' ? (typeof body.partial_payment === 'number' ? body.partial_payment : body.payable_amount) : null
  return {
    source,
    customer: { ...details, alternatePhone: details.alternate_phone },
    couponCode: null,
    areaId: details.area_id ?? 0,
    lines: body.products.map((line) => ({ productId: line.product_id, quantityMilli: readQuantity(line.quantity) ?? 0 })),
    paymentType: body.payment_type,
    gateway,
    partial: readTaka(part),
    deliveries: body.deliveries ?? 1,
    lang: buyer.lang,
    userId: buyer.userId,
    isPhoneProven: buyer.provenPhone !== null && buyer.provenPhone === details.phone,
    viewKey,
    browserHash: sha256Hex(browser),
    holder: { browserHash: buyer.browser === null ? null : sha256Hex(browser), ip: buyer.ip },
    idempotencyKey: scopedIdempotencyKey(buyer.userId, buyer.idempotencyKey),
    requestHash: requestHash(body),
  }
}

interface QuoteMismatch {
  errors: Record<string, string[]>
  /** The total that holds now, in taka, when the shopper was shown another. */
  total?: number
}

/** Where the shopper was shown other sums than the shop's, or pays in a way this order cannot be paid. */
export function findQuoteMismatch(body: CustomerOrderBody, input: OrderInput, quote: Quote, t: Text, lang: Lang): QuoteMismatch | null {
  const newTotal = {
    errors: { payable_amount: [t('refusal.total-changed', { total: formatTaka(quote.total, lang) })] },
    total: quote.total / 100,
  }
  const differs = (sent: unknown, ours: number) => typeof sent === 'number' && Math.round(sent * 100) !== ours
  if (differs(body.totalProductDiscount, quote.productDiscount) || differs(body.expected_total, quote.total)) return newTotal
  if (differs(body.couponDiscountAmount, quote.couponDiscount)) return newTotal
  const free = body.couponFreeShipping
  if (typeof free === 'boolean' ? free && quote.deliverySaved === 0 : differs(free, quote.deliverySaved)) return newTotal
  if (differs(body.shipping_cost, quote.delivery)) return { ...newTotal, errors: { shipping_cost: newTotal.errors.payable_amount } }
  if (body.is_free_order === true && !quote.isFree) return newTotal
  if (quote.isFree) return null
  if (body.payment_type === 'full' && differs(body.payable_amount, quote.total)) return newTotal
  if (body.payment_type === 'partial' && differs(body.payable_amount, quote.payable)) return newTotal
  if (body.payment_type === 'cash_on_delivery') return differs(body.payable_amount, 0) ? newTotal : null
  if (input.gateway !== 'NONE') {
    // A part within its bounds is part of the quote.
    const problem = body.payment_type === 'full' ? totalOnlineProblem(quote) : null
    return problem && { errors: { payable_amount: [t(problem)] } }
  }
  // By hand an advance can be sent, and only for animals; anything else paid now goes through a gateway.
  const byHand = body.payment_type === 'partial' && quote.lines.some((line) => line.advance > 0)
  return byHand ? null : { errors: { payment_gateway: [t('refusal.gateway-needed')] } }
}

function refusalOf(
  result: Exclude<PlaceOrderResult & { ok: false }, { reason: 'too-many-held' }>,
  input: OrderInput,
  disagreement: QuoteMismatch | null,
  t: Text,
  lang: Lang,
): TakenOrder {
  switch (result.reason) {
    case 'not-available':
      return {
        ok: false,
        status: 410,
        key: 'refusal.unknown-product',
        text: unavailableText(result.products, lang),
        more: { product_ids: result.products.map((product) => product.productId) },
      }
    case 'coupon':
      return { ok: false, status: 422, errors: { coupon: [couponRefusalText(result.refusal, lang, result.terms)] } }
    case 'key-reused':
      return { ok: false, status: 409, key: 'refusal.key-reused' }
    case 'busy':
      return { ok: false, status: 503, key: 'error.away' }
    case 'unknown-area':
      return { ok: false, status: 422, errors: { 'customer.area_id': [t('details.area-unknown')] } }
    case 'refused':
      return { ok: false, status: 422, errors: quoteErrors(result.quote, input.lines, lang) }
    case 'quote-mismatch':
      return {
        ok: false,
        status: 422,
        errors: disagreement?.errors ?? {},
        ...(disagreement?.total === undefined ? {} : { more: { total: disagreement.total } }),
      }
  }
}
