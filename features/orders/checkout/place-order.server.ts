import { sql } from 'kysely'
import { type MissingProduct, lockProducts } from '#features/stock/stock.server.ts'
import { bookedRatePerKg } from '#features/cattle/rules.ts'
import { ShopCache } from '#features/catalog/shop-cache.server.ts'
import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { orderSmsLang } from '#features/messaging/order-sms.server.ts'
import { fillSms, smsDelivery } from '#features/settings/sms/text-rules.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import type { CouponRefusal, CouponTerms } from '#features/pricing/coupons/rules.ts'
import { productFacts } from '#features/pricing/product-facts.server.ts'
import { type OrderChoice, type PaymentType, type Quote, quoteOrder } from '#features/pricing/quote-rules.ts'
import { areaCharges } from '#features/pricing/rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { randomToken, sha256Hex, ulid } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { findCouponRejection, couponUse, readCoupon } from './order-coupon.server.ts'
import { type Holder, holdKeys } from './hold-limit.server.ts'
import { insertOrder, type TooManyHeld, type WriteOrderResult } from '../batching/insert-orders.server.ts'
import { expiresAt, listDate } from '../rules.ts'

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
  /** 2: in two deliveries, where the goods have different dates. */
  deliveries: 1 | 2
  lang: Lang
  userId: number | null
  /** The signed-in customer has confirmed this very phone by a code. */
  isPhoneProven: boolean
  /** Opens the order from the link in its SMS. */
  viewKey: string
  /** As typed; null when none is used. */
  couponCode: string | null
  /** sha256 of the secret that the ordering browser keeps. */
  browserHash: string
  /** Counts the animals that this sender holds unpaid. */
  holder: Holder
  idempotencyKey: string
  requestHash: string
}

export interface UnavailableProduct {
  productId: number
  name: string | null
  /** For sale, but less is left than was ordered. */
  isShort?: boolean
}

export type PlaceOrderRefusal =
  | { reason: 'not-available'; products: UnavailableProduct[] }
  | { reason: 'unknown-area' }
  | { reason: 'refused'; quote: Quote }
  /** The caller looked at the quote and did not confirmQuote with it; what it answered. */
  | { reason: 'quote-mismatch'; quote: Quote }
  | { reason: 'key-reused' }
  /** The coupon cannot be used (any more) by this customer or for this order. */
  | { reason: 'coupon'; refusal: CouponRefusal; terms: CouponTerms | null }
  /** The sender has reached the limit of unpaid animals. */
  | ({ reason: 'too-many-held' } & TooManyHeld)
  /** The products changed in every attempt. */
  | { reason: 'busy' }

export type PlaceOrderResult =
  /** `shown`: product data that shoppers see has changed (an animal is on hold, a product is out of stock). */
  { ok: true; orderId: number; replayed: boolean; shown: boolean } | ({ ok: false } & PlaceOrderRefusal)

export interface PlaceOrderDeps {
  db: Db
  facts: ShopCache
  now: () => Date
  publicUrl: string
  env: { rateLimit: boolean; sessionSecret: string }
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
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
    const attempt = await attemptPlaceOrder(deps, input, confirmQuote)
    if (attempt.ok || attempt.reason === 'key-reused' || attempt.reason === 'too-many-held') return attempt
    // Cached data may be old: a rejection counts only after a fresh read.
    deps.facts.invalidate()
    if (attempt.reason === 'stale' || tries === 1) continue
    const earlier = await findReplayedOrder(deps.db, input)
    return earlier === null ? attempt : { ok: true, orderId: earlier, replayed: true, shown: false }
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
  return attemptPlaceOrder({ ...deps, db: tx, facts: new ShopCache(tx, () => null) }, input, confirmQuote)
}

async function attemptPlaceOrder(
  deps: PlaceOrderDeps,
  input: OrderInput,
  confirmQuote: (quote: Quote) => boolean,
): Promise<PlaceOrderResult | { ok: false; reason: 'stale' }> {
  const area = (await deps.facts.areas()).get(input.areaId)
  if (!area) return { ok: false, reason: 'unknown-area' }
  const rows = await deps.facts.products(input.lines.map((line) => line.productId))
  const read = await readCoupon(deps.db, input, [...rows.values()], deps.now())
  if (!read.ok) return read
  const { applied } = read
  const placedAt = deps.now()
  const listOn = listDate(placedAt, (await deps.facts.settings()).cutoff_hour)
  const products = [...rows.values()].map((row) => productFacts(row, input.lang))
  const quote = quoteOrder({ products, area: areaCharges(area), coupon: applied?.coupon ?? null, listOn }, orderChoice(input))
  const gone = quote.problems.flatMap((problem) => (problem.reason === 'not-available' ? [problem] : []))
  if (gone.length > 0) return { ok: false, reason: 'not-available', products: gone }
  // The cached stock may be old; the database checks the stock when the order is inserted.
  if (quote.problems.some((problem) => problem.reason !== 'not-enough-stock')) return { ok: false, reason: 'refused', quote }
  const rejection = findCouponRejection(applied, quote)
  if (rejection) return rejection
  if (!confirmQuote(quote)) return { ok: false, reason: 'quote-mismatch', quote }
  const answer = await write(deps, input, { quote, rows, coupon: couponUse(applied, quote), placedAt, listOn })
  if (answer.order_id)
    return { ok: true, orderId: answer.order_id, replayed: answer.replayed === true, shown: answer.catalog_changed === true }
  if (answer.reason === 'not-available') {
    return {
      ok: false,
      reason: 'not-available',
      products: (answer.lines ?? []).map((line) => toUnavailableProduct(line, rows, input.lang)),
    }
  }
  if (answer.reason === 'coupon') return { ok: false, reason: 'coupon', refusal: answer.coupon ?? 'used-up', terms: applied?.terms ?? null }
  if (answer.reason === 'too-many-held') return { ok: false, reason: answer.reason, by: answer.by, held: answer.held, limit: answer.limit }
  return { ok: false, reason: answer.reason ?? 'stale' }
}

function toUnavailableProduct(
  { product_id: productId, reason }: MissingProduct,
  rows: Map<number, SoldProductRow>,
  lang: Lang,
): UnavailableProduct {
  const row = rows.get(productId)
  return { productId, name: row ? (lang === 'bn' ? row.name_bn : row.name_en) : null, isShort: reason === 'not-enough' }
}

/** The order as input of the quote. Without a gateway an advance is sent by hand. */
export function orderChoice({ lines, paymentType, partial, gateway, deliveries }: OrderInput): OrderChoice {
  return { lines, paymentType, partial, byHand: gateway === 'NONE', deliveries }
}

/** The order that this very request placed earlier under its idempotency key, or null. */
export async function findReplayedOrder(db: Db, input: OrderInput): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from orders where idempotency_key = ${input.idempotencyKey} and request_hash = decode(${input.requestHash}, 'hex')`.execute(
    db,
  )
  return rows[0]?.id ?? null
}

interface PricedOrder {
  quote: Quote
  rows: Map<number, SoldProductRow>
  coupon: ReturnType<typeof couponUse>
  placedAt: Date
  listOn: string
}

async function write(
  deps: PlaceOrderDeps,
  input: OrderInput,
  { quote, rows, coupon, placedAt, listOn }: PricedOrder,
): Promise<WriteOrderResult> {
  const settings = await deps.facts.settings()
  const byHand = input.isPhoneProven ? 'proven' : 'unreported'
  const waiting = input.gateway !== 'NONE' && quote.payable > 0 ? 'gateway' : input.paymentType === 'partial' ? byHand : null
  const order = {
    source: input.source,
    customer_id: input.userId,
    name: input.customer.name,
    phone: input.customer.phone,
    email: input.customer.email,
    alternate_phone: input.customer.alternatePhone,
    address: input.customer.address,
    landmark: input.customer.landmark,
    note: input.customer.note,
    area_id: input.areaId,
    lang: input.lang,
    subtotal_poisha: quote.subtotal,
    shipping_poisha: quote.delivery,
    discount_poisha: quote.discount,
    total_poisha: quote.total,
    payment_type: input.paymentType,
    payment_gateway: quote.isFree ? 'NONE' : input.gateway,
    payable_poisha: quote.payable,
    is_free_order: quote.isFree,
    list_on: listOn,
    deliveries: quote.deliveries,
    placed_at: placedAt,
    expires_at: waiting && !quote.isFree ? expiresAt(placedAt, waiting, settings.expiry) : null,
    phone_verified: input.isPhoneProven,
    access_token_hash: input.browserHash,
    view_key: input.viewKey,
    tracking_code: randomToken(16),
  }
  const hasAnimal = [...rows.values()].some((row) => row.is_unique)
  const lines = quote.lines.map((line, index) => {
    const row = rows.get(line.productId) as SoldProductRow
    return {
      position: index + 1,
      product_id: line.productId,
      version: row.version,
      name_en: row.name_en,
      name_bn: row.name_bn,
      unit: row.unit,
      quantity_milli: line.quantityMilli,
      base_price_poisha: line.basePrice,
      price_poisha: line.unitPrice,
      line_total_poisha: line.total,
      advance_poisha: line.advance,
      tag_number: row.tag_number,
      booked_grams: row.sold_by_live_weight ? row.weight_grams : null,
      booked_rate_poisha: row.sold_by_live_weight ? bookedRatePerKg(line.unitPrice, row.weight_grams) : null,
    }
  })
  // The order id is not known yet: SQL replaces {order}.
  const link = `${deps.publicUrl}/invoice/{order}?key=${input.viewKey}`
  const smsLang = orderSmsLang(input.lang, settings)
  const dates = quote.deliveries === 2 && quote.split ? quote.split.dates : [quote.deliverOn ?? listOn]
  const day = smsDelivery(order.expires_at === null ? dates : null, smsLang)
  const facts = { name: input.customer.name, total: quote.total, due: quote.total, link, phone: settings.shop.phone, day }
  const body = fillSms(settings.messages.orderPlaced[smsLang], { ...facts, order: '{order}' }, smsLang)
  return insertOrder(deps.db, {
    ...order,
    idempotency_key: input.idempotencyKey,
    request_hash: input.requestHash,
    tran_id: order.payment_gateway === 'NONE' ? null : ulid(placedAt),
    sms_body: body,
    holds: hasAnimal ? holdKeys(input.holder, input.isPhoneProven, settings.holds, deps.env) : null,
    lines,
    coupon,
  })
}

/** The hash that identifies the body of a request beside its idempotency key. */
export function requestHash(body: unknown): string {
  return sha256Hex(JSON.stringify(body))
}
