import { sql } from 'kysely'
import { type MissingProduct, lockProducts } from '#features/stock/stock.server.ts'
import { ShopCache } from '#features/catalog/shop-cache.server.ts'
import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import type { CouponError, CouponTerms } from '#features/pricing/coupons/rules.ts'
import { toQuoteProduct } from '#features/pricing/quote-product.server.ts'
import { type OrderChoice, type PaymentType, type Quote, quoteOrder } from '#features/pricing/quote-rules.ts'
import { type AreaCharges, areaCharges } from '#features/pricing/rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { findCouponRejection, couponUse, readCoupon } from './order-coupon.server.ts'
import type { Holder } from './hold-limit.server.ts'
import { codCodeFrom, isCodeMissing } from './checkout-rules.ts'
import { toOrderRow } from './order-row.server.ts'
import { insertOrder, type TooManyHeld, type WriteOrderResult } from '../batching/insert-orders.server.ts'
import { readShopperCalendar } from '../delivery-calendar.server.ts'
import { listDate } from '../list-date.ts'

/** A validated order request: customer, area, products, payment. Prices and stock are not checked yet. */
export interface OrderInput {
  source: 'web' | 'legacy'
  customer: { name: string; phone: string; email: string; alternatePhone: string; address: string; landmark: string; note: string }
  areaId: number
  lines: { productId: number; quantityMilli: number }[]
  paymentType: PaymentType
  /** NONE with a partial payment is an advance sent by hand. */
  gateway: GatewayName | 'NONE'
  partial: Poisha | null
  /** 2: two deliveries, where the products have different dates. */
  deliveries: 1 | 2
  /** The chosen day of the delivery, or of the first of two; null: the earliest possible one. */
  deliveryOn: string | null
  isCollection: boolean
  lang: Lang
  userId: number | null
  /** The phone is the verified phone of the signed-in customer. */
  isPhoneVerified: boolean
  /** The key of the link in the order's SMS. */
  viewKey: string
  /** As entered; null without a coupon. */
  couponCode: string | null
  /** SHA-256 of the browser's order access token. */
  browserHash: string
  /** Identifies the sender for the limit of unpaid animals. */
  holder: Holder
  idempotencyKey: string
  requestHash: string
}

export interface UnavailableProduct {
  productId: number
  name: string | null
  /** For sale, but with less stock than ordered. */
  isShort?: boolean
}

export type PlaceOrderError =
  | { reason: 'not-available'; products: UnavailableProduct[] }
  | { reason: 'unknown-area' | 'collection-not-offered' }
  | { reason: 'refused'; quote: Quote }
  /** `confirmQuote` returned false for the quote. */
  | { reason: 'quote-mismatch'; quote: Quote }
  | { reason: 'key-reused' }
  /** Cash on delivery needs a phone verified by a code for this total. */
  | { reason: 'code-missing' }
  /** The customer or the order cannot use the coupon. */
  | { reason: 'coupon'; refusal: CouponError; terms: CouponTerms | null }
  /** The sender has reached the limit of unpaid animals. */
  | ({ reason: 'too-many-held' } & TooManyHeld)
  /** The products changed in every attempt. */
  | { reason: 'busy' }

export type PlaceOrderResult =
  /** `shown`: product data that shoppers see has changed (an animal is on hold, a product is out of stock). */
  { ok: true; orderId: number; replayed: boolean; shown: boolean } | ({ ok: false } & PlaceOrderError)

type EarlierResult = Extract<PlaceOrderResult, { ok: true } | { reason: 'key-reused' }>

export interface PlaceOrderDeps {
  db: Db
  shopCache: ShopCache
  now: () => Date
  publicUrl: string
  env: { rateLimit: boolean; sessionSecret: string }
  sms: { readonly canSend: boolean }
}

const MAX_ATTEMPTS = 4

/**
 * Places an order: prices it from the shop's data, lets the caller compare the quote with what the customer saw (`confirmQuote`), and inserts
 * order, stock, event and SMS in one statement, or nothing. A repeated request under its key gets the order of the first one.
 */
export async function placeOrder(
  deps: PlaceOrderDeps,
  input: OrderInput,
  confirmQuote: (quote: Quote) => boolean,
): Promise<PlaceOrderResult> {
  for (let count = 1; count <= MAX_ATTEMPTS; count++) {
    const attempt = await attemptPlaceOrder(deps, input, confirmQuote)
    if (attempt.ok || attempt.reason === 'key-reused' || attempt.reason === 'too-many-held') return attempt
    // Cached data may be old: a rejection counts only after a fresh read.
    deps.shopCache.invalidate()
    if (attempt.reason === 'stale' || count === 1) continue
    return (await findEarlierResult(deps.db, input)) ?? attempt
  }
  const last = await inTransaction(deps.db, (tx) => placeOrderWithLocks(deps, tx, input, confirmQuote))
  return last.ok || last.reason !== 'stale' ? last : { ok: false, reason: 'busy' }
}

/** Fallback after repeated version conflicts: locks the products first, then prices and inserts. */
async function placeOrderWithLocks(deps: PlaceOrderDeps, tx: Db, input: OrderInput, confirmQuote: (quote: Quote) => boolean) {
  await lockProducts(
    tx,
    input.lines.map((line) => line.productId),
  )
  return attemptPlaceOrder({ ...deps, db: tx, shopCache: new ShopCache(tx, () => null) }, input, confirmQuote)
}

async function attemptPlaceOrder(
  deps: PlaceOrderDeps,
  input: OrderInput,
  confirmQuote: (quote: Quote) => boolean,
): Promise<PlaceOrderResult | { ok: false; reason: 'stale' }> {
  const settings = await deps.shopCache.settings()
  if (input.isCollection && !settings.collection.is_offered) return { ok: false, reason: 'collection-not-offered' }
  const area = await findArea(deps, input)
  if (area === undefined) return { ok: false, reason: 'unknown-area' }
  const rows = await deps.shopCache.products(input.lines.map((line) => line.productId))
  const read = await readCoupon(deps.db, input, [...rows.values()], deps.now())
  if (!read.ok) return read
  const { applied } = read
  const placedAt = deps.now()
  const listOn = listDate(placedAt, settings.cutoff_hour)
  const products = [...rows.values()].map((row) => toQuoteProduct(row, input.lang))
  const calendar = await readShopperCalendar(deps.db, settings, placedAt)
  const quoteData = { products, area, coupon: applied?.coupon ?? null, listOn, calendar }
  const quote = quoteOrder(quoteData, orderChoice(input))
  const unavailable = quote.problems.flatMap((problem) => (problem.reason === 'not-available' ? [problem] : []))
  if (unavailable.length > 0) return { ok: false, reason: 'not-available', products: unavailable }
  // The cached stock may be old; the database checks the stock when the order is inserted.
  if (quote.problems.some((problem) => problem.reason !== 'not-enough-stock')) return { ok: false, reason: 'refused', quote }
  const rejection = findCouponRejection(applied, quote) ?? findMissingCode(input, quote, codCodeFrom(settings, deps.sms.canSend))
  if (rejection) return rejection
  if (!confirmQuote(quote)) return { ok: false, reason: 'quote-mismatch', quote }
  const priced = { quote, rows, coupon: couponUse(applied, quote, [...rows.values()]), placedAt, listOn: quote.listOn ?? listOn }
  const written = await insertOrder(deps.db, toOrderRow(input, priced, settings, deps))
  return toPlaceOrderResult(written, { rows, terms: applied?.terms ?? null, lang: input.lang })
}

/** Cash on delivery whose total needs a code at the order's phone; null for all other orders. */
function findMissingCode({ paymentType, isPhoneVerified }: OrderInput, { isFree, total }: Quote, from: Poisha | null) {
  const isUnverified = paymentType === 'cash_on_delivery' && !isFree && !isPhoneVerified
  return isUnverified && isCodeMissing(total, from) ? ({ ok: false, reason: 'code-missing' } as const) : null
}

/** The charges of the order's area; null for a collected order, which has none, and undefined for an unknown one. */
async function findArea({ shopCache }: PlaceOrderDeps, input: OrderInput): Promise<AreaCharges | null | undefined> {
  if (input.isCollection) return null
  const area = (await shopCache.areas()).get(input.areaId)
  return area && areaCharges(area)
}

function toPlaceOrderResult(
  written: WriteOrderResult,
  { rows, terms, lang }: { rows: Map<number, SoldProductRow>; terms: CouponTerms | null; lang: Lang },
): PlaceOrderResult | { ok: false; reason: 'stale' } {
  if (written.order_id)
    return { ok: true, orderId: written.order_id, replayed: written.replayed === true, shown: written.catalog_changed === true }
  switch (written.reason) {
    case 'not-available':
      return { ok: false, reason: 'not-available', products: (written.lines ?? []).map((line) => toUnavailableProduct(line, rows, lang)) }
    case 'coupon':
      return { ok: false, reason: 'coupon', refusal: written.coupon ?? 'used-up', terms }
    case 'too-many-held':
      return { ok: false, reason: 'too-many-held', by: written.by, held: written.held, limit: written.limit }
    case 'day-full':
      // Others took the last place of the day: the next pricing knows that it is full.
      return { ok: false, reason: 'stale' }
    default:
      return { ok: false, reason: written.reason ?? 'stale' }
  }
}

function toUnavailableProduct(
  { product_id: productId, reason }: MissingProduct,
  rows: Map<number, SoldProductRow>,
  lang: Lang,
): UnavailableProduct {
  const row = rows.get(productId)
  return { productId, name: row ? (lang === 'bn' ? row.name_bn : row.name_en) : null, isShort: reason === 'not-enough' }
}

/** The input of the quote. A partial payment without a gateway is an advance by hand. */
export function orderChoice({ lines, paymentType, partial, gateway, deliveries, deliveryOn, isCollection }: OrderInput): OrderChoice {
  return { lines, paymentType, partial, byHand: gateway === 'NONE', deliveries, deliveryOn, isCollection }
}

/** The result of an earlier request under the same idempotency key: its order, or that the key is used. Null when the key placed no order. */
export async function findEarlierResult(db: Db, { idempotencyKey, requestHash }: OrderInput): Promise<EarlierResult | null> {
  const { rows } = await sql<{ id: number; same: boolean }>`
    select id, request_hash = decode(${requestHash}, 'hex') as same from orders where idempotency_key = ${idempotencyKey}`.execute(db)
  const [earlier] = rows
  if (earlier === undefined) return null
  return earlier.same ? { ok: true, orderId: earlier.id, replayed: true, shown: false } : { ok: false, reason: 'key-reused' }
}
