import { sql } from 'kysely'
import { type MissingProduct, lockProducts } from '#features/stock/stock.server.ts'
import { bookedRatePerKg } from '#features/cattle/rules.ts'
import { type AreaFacts, ShopCache } from '#features/catalog/shop-cache.server.ts'
import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { orderSmsLang } from '#features/messaging/order-sms.server.ts'
import { fillSms, smsDelivery } from '#features/messaging/rules.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import type { CouponRefusal, CouponTerms } from '#features/pricing/coupons/rules.ts'
import { productFacts } from '#features/pricing/product-facts.server.ts'
import { type OrderChoice, type PaymentType, type Quote, quoteOrder } from '#features/pricing/quote-rules.ts'
import type { AreaCharges } from '#features/pricing/rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { randomToken, sha256Hex, ulid } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { couponMisfit, couponUse, readCoupon } from './order-coupon.server.ts'
import { type Holder, holdKeys } from './hold-limit.server.ts'
import { insertOrder, type TooManyHeld, type WriteOrderResult } from '../batching/insert-orders.server.ts'
import { expiresAt, listDate } from '../rules.ts'

/** What a shopper asks for: who, where, which goods, and how it is to be paid. Everything is checked already but the shop's own facts. */
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
  /** The caller looked at the quote and did not agree with it; what it answered. */
  | { reason: 'not-agreed'; quote: Quote }
  | { reason: 'key-reused' }
  /** The coupon cannot be used (any more) by this customer or for this order. */
  | { reason: 'coupon'; refusal: CouponRefusal; terms: CouponTerms | null }
  /** The sender holds as many unpaid animals as the shop lets them. */
  | ({ reason: 'too-many-held' } & TooManyHeld)
  /** The goods are being changed so quickly that no price of theirs holds for a moment. */
  | { reason: 'busy' }

export type PlaceOrderResult =
  /** `shown`: something that shoppers see changed with it (an animal went to hold, goods ran out). */
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
 * Places an order: prices it from the shop's own facts, lets the caller compare what the shopper was shown
 * (`agree`), and writes order, stock, history and message in one statement, or nothing. A request repeated under its
 * key gets the order that it made.
 */
export async function placeOrder(deps: PlaceOrderDeps, wish: OrderInput, agree: (quote: Quote) => boolean): Promise<PlaceOrderResult> {
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
    const attempt = await attemptPlaceOrder(deps, wish, agree)
    if (attempt.ok || attempt.reason === 'key-reused' || attempt.reason === 'too-many-held') return attempt
    // Facts in memory may be a moment old: a refusal is only believed when they were read afresh.
    deps.facts.invalidate()
    if (attempt.reason === 'stale' || tries === 1) continue
    const earlier = await findEarlier(deps.db, wish)
    return earlier === null ? attempt : { ok: true, orderId: earlier, replayed: true, shown: false }
  }
  const last = await inTransaction(deps.db, (tx) => placeOrderWithLocks(deps, tx, wish, agree))
  return last.ok || last.reason !== 'stale' ? last : { ok: false, reason: 'busy' }
}

/** For goods that are changed faster than an order of them is priced: with the goods in hand, nobody changes them in between. */
async function placeOrderWithLocks(deps: PlaceOrderDeps, tx: Db, wish: OrderInput, agree: (quote: Quote) => boolean) {
  await lockProducts(
    tx,
    wish.lines.map((line) => line.productId),
  )
  return attemptPlaceOrder({ ...deps, db: tx, facts: new ShopCache(tx, () => null) }, wish, agree)
}

async function attemptPlaceOrder(
  deps: PlaceOrderDeps,
  wish: OrderInput,
  agree: (quote: Quote) => boolean,
): Promise<PlaceOrderResult | { ok: false; reason: 'stale' }> {
  const area = (await deps.facts.areas()).get(wish.areaId)
  if (!area) return { ok: false, reason: 'unknown-area' }
  const rows = await deps.facts.products(wish.lines.map((line) => line.productId))
  const read = await readCoupon(deps.db, wish, [...rows.values()], deps.now())
  if (!read.ok) return read
  const { wished } = read
  const placedAt = deps.now()
  const listOn = listDate(placedAt, (await deps.facts.settings()).cutoff_hour)
  const products = [...rows.values()].map((row) => productFacts(row, wish.lang))
  const quote = quoteOrder({ products, area: areaCharges(area), coupon: wished?.coupon ?? null, listOn }, orderChoice(wish))
  const gone = quote.problems.flatMap((problem) => (problem.reason === 'not-available' ? [problem] : []))
  if (gone.length > 0) return { ok: false, reason: 'not-available', products: gone }
  // How much is left in memory says little; the database decides that when the order is written.
  if (quote.problems.some((problem) => problem.reason !== 'not-enough-stock')) return { ok: false, reason: 'refused', quote }
  const misfit = couponMisfit(wished, quote)
  if (misfit) return misfit
  if (!agree(quote)) return { ok: false, reason: 'not-agreed', quote }
  const answer = await write(deps, wish, { quote, rows, coupon: couponUse(wished, quote), placedAt, listOn })
  if (answer.order_id)
    return { ok: true, orderId: answer.order_id, replayed: answer.replayed === true, shown: answer.catalog_changed === true }
  if (answer.reason === 'not-available') {
    return { ok: false, reason: 'not-available', products: (answer.lines ?? []).map((line) => toUnavailableProduct(line, rows, wish.lang)) }
  }
  if (answer.reason === 'coupon') return { ok: false, reason: 'coupon', refusal: answer.coupon ?? 'used-up', terms: wished?.terms ?? null }
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

/** What an order asks for, as it is quoted. Without a gateway a part is sent by hand. */
export function orderChoice({ lines, paymentType, partial, gateway, deliveries }: OrderInput): OrderChoice {
  return { lines, paymentType, partial, byHand: gateway === 'NONE', deliveries }
}

/** An order already placed under this key by this very request: its animal is on hold because of it. */
export async function findEarlier(db: Db, wish: OrderInput): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from orders where idempotency_key = ${wish.idempotencyKey} and request_hash = decode(${wish.requestHash}, 'hex')`.execute(db)
  return rows[0]?.id ?? null
}

/** An area's charges as the rules take them. */
export function areaCharges(area: AreaFacts): AreaCharges {
  const charge = (value: AreaFacts['cattle']) =>
    value === 'closed' ? { open: false, charge: null } : { open: true, charge: value as Poisha | null }
  return { cattle: charge(area.cattle), produce: charge(area.produce) }
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
  wish: OrderInput,
  { quote, rows, coupon, placedAt, listOn }: PricedOrder,
): Promise<WriteOrderResult> {
  const settings = await deps.facts.settings()
  const byHand = wish.isPhoneProven ? 'proven' : 'unreported'
  const waiting = wish.gateway !== 'NONE' && quote.payable > 0 ? 'gateway' : wish.paymentType === 'partial' ? byHand : null
  const order = {
    source: wish.source,
    customer_id: wish.userId,
    name: wish.customer.name,
    phone: wish.customer.phone,
    email: wish.customer.email,
    alternate_phone: wish.customer.alternatePhone,
    address: wish.customer.address,
    landmark: wish.customer.landmark,
    note: wish.customer.note,
    area_id: wish.areaId,
    lang: wish.lang,
    subtotal_poisha: quote.subtotal,
    shipping_poisha: quote.delivery,
    discount_poisha: quote.discount,
    total_poisha: quote.total,
    payment_type: wish.paymentType,
    payment_gateway: quote.isFree ? 'NONE' : wish.gateway,
    payable_poisha: quote.payable,
    is_free_order: quote.isFree,
    list_on: listOn,
    deliveries: quote.deliveries,
    placed_at: placedAt,
    expires_at: waiting && !quote.isFree ? expiresAt(placedAt, waiting, settings.expiry) : null,
    phone_verified: wish.isPhoneProven,
    access_token_hash: wish.browserHash,
    view_key: wish.viewKey,
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
  // The number is not known before it is written: the database puts it where {order} stands.
  const link = `${deps.publicUrl}/invoice/{order}?key=${wish.viewKey}`
  const smsLang = orderSmsLang(wish.lang, settings)
  const dates = quote.deliveries === 2 && quote.split ? quote.split.dates : [quote.deliverOn ?? listOn]
  const day = smsDelivery(order.expires_at === null ? dates : null, smsLang)
  const facts = { name: wish.customer.name, total: quote.total, due: quote.total, link, phone: settings.shop.phone, day }
  const body = fillSms(settings.messages.orderPlaced[smsLang], { ...facts, order: '{order}' }, smsLang)
  return insertOrder(deps.db, {
    ...order,
    idempotency_key: wish.idempotencyKey,
    request_hash: wish.requestHash,
    tran_id: order.payment_gateway === 'NONE' ? null : ulid(placedAt),
    sms_body: body,
    holds: hasAnimal ? holdKeys(wish.holder, wish.isPhoneProven, settings.holds, deps.env) : null,
    lines,
    coupon,
  })
}

/** What identifies a request apart from its key: the same words in the same order. */
export function requestHash(body: unknown): string {
  return sha256Hex(JSON.stringify(body))
}
