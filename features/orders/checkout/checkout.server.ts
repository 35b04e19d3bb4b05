import { sql } from 'kysely'
import { nameUnnamedCustomer } from '#features/auth/users.server.ts'
import type { Gateways } from '#features/payments/gateway.ts'
import { type MessageKey, textByKey, translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { findDelivery } from '#features/customers/address-queries.server.ts'
import type { Quote } from '#features/pricing/quote-rules.ts'
import { countCouponAttempt, uncountCouponAttempt } from '#features/pricing/coupons/coupon-rate-limit.server.ts'
import { couponErrorText } from '#features/pricing/coupons/refusal-text.ts'
import type { Db } from '#lib/db/db.server.ts'
import { IS_ENDED } from '../status-conditions.server.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { accessTokenOfReplay, newViewKey, orderAccessTokenOf } from '../order-access-token.server.ts'
import { type GuestDetails, normalizeDetails } from './details-rules.ts'
import { isEmail } from '#lib/format/email.ts'
import type { CustomerOrderBody } from './forms.ts'
import { scopedIdempotencyKey, toOrderInput, validateRequest } from './order-input.server.ts'
import { refundOrderRateLimit, type OrderSender, checkOrderRateLimit } from './order-rate-limit.server.ts'
import { findEarlierResult, type OrderInput, placeOrder, type PlaceOrderDeps, type PlaceOrderResult } from './place-order.server.ts'
import { findQuoteMismatch, type QuoteMismatch } from './quote-mismatch.server.ts'
import { unavailableText, quoteErrors, tooManyHeldText, tooManyOrdersText } from './checkout-errors.server.ts'

export interface CheckoutDeps extends PlaceOrderDeps {
  gateways: Gateways
}

/** The sender of an order request. */
export interface Buyer {
  userId: number | null
  /** The verified phone of the signed-in customer; null without one. */
  verifiedPhone: string | null
  /** The account has no name: it takes that of the order. */
  isUnnamed: boolean
  lang: Lang
  /** The order access token that this server issued to the browser; null for a request without one. */
  browser: string | null
  ip: string
  idempotencyKey: string
  /** Whether only this sender can know the idempotency key. A repeated request then gets the token of the first one's order. */
  isKeySecret: boolean
}

export type CheckoutResult =
  /**
   * `newBrowser`: the token to set as a cookie; null when the browser has one, or must not get this one. `shown`: shoppers see a change.
   * `hasEnded`: the order of a repeated request is cancelled or returned.
   */
  | { ok: true; orderId: number; payOnline: boolean; newBrowser: string | null; shown: boolean; hasEnded: boolean }
  | { ok: false; status: 404 | 409 | 410 | 429 | 503; key: MessageKey; text?: string; more?: Record<string, unknown> }
  | { ok: false; status: 422; errors: Record<string, string[]>; text?: string; more?: Record<string, unknown> }

const KEY_REUSED = { ok: false, status: 409, key: 'refusal.key-reused' } as const satisfies CheckoutResult

/** Validates the request, places the order, and translates every error into the shopper's language. */
export async function checkout(
  deps: CheckoutDeps,
  body: CustomerOrderBody,
  buyer: Buyer,
  source: 'web' | 'legacy' = 'web',
): Promise<CheckoutResult> {
  const t = textByKey(buyer.lang)
  const saved = await findSavedDetails(deps, body, buyer)
  const terms = { gateways: deps.gateways, isEmailOptional: source === 'web' && buyer.verifiedPhone !== null }
  const request = validateRequest(body, saved === undefined ? body.customer : null, terms, t)
  if (!request.ok) return { ok: false, status: 422, errors: request.errors }
  const viewKey = newViewKey()
  const browser = buyer.browser ?? orderAccessTokenOf(deps.env.sessionSecret, viewKey)
  const details = saved ?? normalizeDetails(body.customer)
  const input = await withKeyOfGuest(deps.db, toOrderInput({ ...request, body, details, buyer, browser, viewKey, source }), buyer)
  const payOnline = request.gateway !== 'NONE'
  const replay = async (orderId: number): Promise<CheckoutResult> => {
    const [newBrowser, hasEnded] = [await accessTokenOfReplay(deps, buyer, orderId), await isEndedOrder(deps.db, orderId)]
    return { ok: true, orderId, payOnline, newBrowser, shown: false, hasEnded }
  }
  // A repeated request succeeds with the order of the first one, even if a limit or a deleted address would now reject it.
  const unlessReplayed = async (error: CheckoutResult): Promise<CheckoutResult> => {
    const earlier = await findEarlierResult(deps.db, input)
    if (earlier === null) return error
    return earlier.ok ? replay(earlier.orderId) : KEY_REUSED
  }
  if (saved === null) return unlessReplayed({ ok: false, status: 404, key: 'address.gone' })

  const counted = await countRequest(deps, input, buyer)
  if (counted.error !== null) return unlessReplayed(counted.error)
  let mismatch: QuoteMismatch | null = null
  const result = await placeOrder(deps, input, (quote) => {
    mismatch = findQuoteMismatch(body, input.gateway, quote, t, buyer.lang)
    return mismatch === null
  })
  await counted.refund(result)
  if (!result.ok) {
    const { shop } = await deps.shopCache.settings()
    return toCheckoutError(result, { input, mismatch, shopPhone: shop.phone, sendsSms: deps.sms.canSend, lang: buyer.lang })
  }
  if (buyer.isUnnamed && buyer.userId !== null && input.isPhoneVerified) await nameUnnamedCustomer(deps.db, buyer.userId, details.name)
  if (result.replayed) return replay(result.orderId)
  const newBrowser = buyer.browser === null ? browser : null
  return { ok: true, orderId: result.orderId, payOnline, newBrowser, shown: result.shown, hasEnded: false }
}

async function isEndedOrder(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from orders o where o.id = ${id} and ${IS_ENDED}`.execute(db)
  return rows.length > 0
}

/** A guest who logs in before the request is repeated: the order that this browser placed under the key as a guest is the first one. */
async function withKeyOfGuest(db: Db, input: OrderInput, { userId, browser, idempotencyKey }: Buyer): Promise<OrderInput> {
  if (userId === null || browser === null) return input
  const guestKey = scopedIdempotencyKey(null, idempotencyKey)
  const { rows } = await sql`select 1 from orders
    where idempotency_key = ${guestKey} and access_token_hash = decode(${input.browserHash}, 'hex')`.execute(db)
  return rows.length > 0 ? { ...input, idempotencyKey: guestKey } : input
}

/**
 * The details of the saved address that the request names; null when it does not exist, undefined when the request names none. The address may
 * lack an email: the one of the request fills the gap.
 */
async function findSavedDetails(
  deps: CheckoutDeps,
  { customer }: CustomerOrderBody,
  { userId }: Buyer,
): Promise<GuestDetails | null | undefined> {
  if (userId === null || typeof customer.id !== 'number') return undefined
  const saved = await findDelivery(deps.db, userId, customer.id)
  const email = sanitizeText(customer.email)
  if (saved?.email === '' && isEmail(email)) saved.email = email
  return saved
}

type Counted = { error: CheckoutResult } | { error: null; refund(result: PlaceOrderResult): Promise<void> }

/** Counts the request against the rate limits of coupon codes and orders. `refund` uncounts it by the result of the order. */
async function countRequest(deps: CheckoutDeps, input: OrderInput, buyer: Buyer): Promise<Counted> {
  const couponUser = input.couponCode === null ? null : buyer.userId
  const couponWait = couponUser === null ? 0 : await countCouponAttempt(deps, couponUser)
  if (couponWait > 0) return { error: { ok: false, status: 429, key: 'error.too-many', more: { retryAfterSeconds: couponWait } } }
  const sender = senderOf(input, buyer)
  const wait = await checkOrderRateLimit(deps, sender)
  if (wait > 0) {
    if (couponUser !== null) await uncountCouponAttempt(deps, couponUser)
    return { error: { ok: false, status: 429, key: 'refusal.too-many-orders', ...tooManyOrdersText(wait, buyer.lang) } }
  }
  async function refund(result: PlaceOrderResult): Promise<void> {
    const isUnknownCode = !result.ok && result.reason === 'coupon' && result.refusal === 'unknown'
    if (couponUser !== null && !isUnknownCode) await uncountCouponAttempt(deps, couponUser)
    // Orders beyond the limit of unpaid animals count, so that repeated attempts reach the rate limit.
    const counts = result.ok ? !result.replayed : result.reason === 'too-many-held'
    if (!counts) await refundOrderRateLimit(deps, sender)
  }
  return { error: null, refund }
}

function senderOf(input: OrderInput, buyer: Buyer): OrderSender {
  return {
    phone: input.customer.phone,
    isOwnPhone: input.isPhoneVerified,
    userId: buyer.userId,
    browserHash: buyer.browser === null ? null : input.browserHash,
    ip: buyer.ip,
  }
}

/** The next possible day beside the error of one that is not, so that the page can choose it. */
function nextDay({ problems }: Quote): { more?: Record<string, unknown> } {
  const problem = problems.find((one) => one.reason === 'delivery-day')
  return problem === undefined ? {} : { more: { next_delivery_on: problem.next } }
}

function codeMissingError({ userId }: OrderInput, lang: Lang): CheckoutResult {
  const text = translate(lang)(userId === null ? 'payment.cod-code' : 'payment.cod-phone')
  return { ok: false, status: 422, errors: { payment_type: [text] } }
}

interface ErrorContext {
  input: OrderInput
  mismatch: QuoteMismatch | null
  shopPhone: string
  sendsSms: boolean
  lang: Lang
}

function toCheckoutError(result: PlaceOrderResult & { ok: false }, context: ErrorContext): CheckoutResult {
  const { input, mismatch, shopPhone, sendsSms, lang } = context
  switch (result.reason) {
    case 'not-available':
      return {
        ok: false,
        status: 410,
        key: 'refusal.unknown-product',
        text: unavailableText(result.products, lang),
        more: { product_ids: result.products.map((product) => product.productId) },
      }
    case 'too-many-held': {
      const text = tooManyHeldText(result, { isPhoneVerified: input.isPhoneVerified, phone: shopPhone, sendsSms }, lang)
      return { ok: false, status: 409, key: 'refusal.too-many-held', text, more: { held: result.held } }
    }
    case 'coupon':
      return { ok: false, status: 422, errors: { coupon: [couponErrorText(result.refusal, lang, result.terms)] } }
    case 'key-reused':
      return KEY_REUSED
    case 'code-missing':
      return codeMissingError(input, lang)
    case 'busy':
      return { ok: false, status: 503, key: 'error.away' }
    case 'unknown-area':
      return { ok: false, status: 422, errors: { 'customer.area_id': [translate(lang)('details.area-unknown')] } }
    case 'collection-not-offered':
      return { ok: false, status: 422, errors: { collection: [translate(lang)('refusal.no-collection')] } }
    case 'refused':
      return { ok: false, status: 422, errors: quoteErrors(result.quote, input.lines, lang), ...nextDay(result.quote) }
    case 'quote-mismatch':
      return { ok: false, status: 422, errors: mismatch?.errors ?? {}, ...(mismatch?.more ? { more: mismatch.more } : {}) }
  }
}
