import { sql } from 'kysely'
import type { CachedArea } from '#features/catalog/shop-cache.server.ts'
import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { countCouponAttempt, type CouponLimitDeps, uncountCouponAttempt } from '#features/pricing/coupons/coupon-rate-limit.server.ts'
import { couponErrorText } from '#features/pricing/coupons/refusal-text.ts'
import { type CouponError, type CouponTerms, normalizeCouponCode } from '#features/pricing/coupons/rules.ts'
import { toQuoteProduct } from '#features/pricing/quote-product.server.ts'
import { quoteOrder } from '#features/pricing/quote-rules.ts'
import { couponEffect } from '#features/pricing/refusal-text.ts'
import { areaCharges, type Coupon } from '#features/pricing/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type Poisha, poisha, poishaToTaka, ZERO } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { couponUse, findCouponRejection, readCoupon } from '../checkout/order-coupon.server.ts'
import type { AdminDeps } from '../order-deps.ts'
import type { FieldErrors } from './order-line-pricing.server.ts'

// Coupons of orders that staff enter: phone orders and POS sales. The rules are those of web checkout.

/** A coupon that an order uses. */
export interface StaffCoupon {
  code: string
  /** Taken off the products at their current prices. */
  discount: Poisha
  /** Taken off the delivery charge. */
  deliverySaved: Poisha
  /** The input of SQL `redeem_coupon`. Its discount includes the product discounts that the coupon replaces, as for web orders. */
  use: NonNullable<ReturnType<typeof couponUse>>
}

type Rejected = { ok: false; text: string }

/** An order as its coupon is priced. */
export interface CouponOrder {
  code: string
  phone: string
  lines: readonly { productId: number; quantityMilli: number }[]
  products: readonly SoldProductRow[]
  /** The area of the delivery; undefined without a delivery. */
  area: CachedArea | undefined
}

/** The discount of a coupon by the rules of web checkout, or the reason why the order cannot use it. */
export async function priceCoupon(
  db: Db,
  { code, phone, lines, products, area }: CouponOrder,
  { now, lang }: { now: Date; lang: Lang },
): Promise<{ ok: true; coupon: StaffCoupon } | Rejected> {
  const read = await readCoupon(db, { couponCode: code, userId: await findCustomerId(db, phone) }, products, now)
  if (!read.ok) return { ok: false, text: rejectionText(read.refusal, lang, read.terms) }
  const { applied } = read
  const data = { products: products.map((row) => toQuoteProduct(row, lang)), area: area ? areaCharges(area) : null }
  const quoteWith = (coupon: Coupon | null) => quoteOrder({ ...data, coupon }, { lines, paymentType: null, partial: null })
  const quote = quoteWith(applied?.coupon ?? null)
  const rejection = findCouponRejection(applied, quote)
  if (rejection) return { ok: false, text: rejectionText(rejection.refusal, lang, rejection.terms) }
  // Without a delivery there is no charge.
  const sold = area ? quote : { ...quote, deliverySaved: ZERO }
  // Lines keep their product discounts.
  const retained = new Map(quoteWith(null).lines.map((line) => [line.productId, line.discount]))
  const use = couponUse(applied, sold, products, retained)
  if (!applied || !use) return { ok: false, text: noEffectText(quote, lang) }
  const discount = poisha(sold.couponDiscount > 0 ? sold.couponDiscount - sold.productDiscount : 0)
  return { ok: true, coupon: { code: applied.terms.code, discount, deliverySaved: sold.deliverySaved, use } }
}

function noEffectText(quote: Parameters<typeof couponEffect>[0], lang: Lang): string {
  const effect = couponEffect(quote)
  return translate(lang)(effect === 'coupon.discounts-better' ? effect : 'coupon.no-effect')
}

/** The rejection of an order at its coupon. */
export const couponErrors = (text: string) => {
  const errors: FieldErrors = { coupon: [text] }
  return { ok: false, reason: 'invalid', errors } as const
}

/** The customer who gets the orders of a number, also of a merged one. A number that the shop does not have has used no coupon: 0. */
async function findCustomerId(db: Db, phone: string): Promise<number> {
  const user = await db.selectFrom('users').select(['id', 'merged_into']).where('phone', '=', phone).executeTakeFirst()
  return user?.merged_into ?? user?.id ?? 0
}

/** Thrown to roll back an order whose coupon was used or changed by a concurrent transaction. */
export class CouponRejectedError extends Error {
  readonly reason: CouponError | 'stale'

  constructor(reason: CouponError | 'stale') {
    super(`coupon rejected: ${reason}`)
    this.reason = reason
  }
}

/** Counts a use of the coupon for a written order. Locks the coupon: the last lock of the transaction. */
export async function redeemCoupon(tx: Db, orderId: number, { use }: StaffCoupon): Promise<void> {
  const { rows } = await sql<{ rejection: CouponError | 'stale' | null }>`
    select redeem_coupon(${orderId}, ${JSON.stringify(use)}::jsonb) as rejection`.execute(tx)
  const rejection = rows[0]?.rejection
  if (rejection) throw new CouponRejectedError(rejection)
}

/** The text of a rejection, as staff read it. */
export function rejectionText(reason: CouponError | 'stale', lang: Lang, terms: CouponTerms | null = null): string {
  if (reason === 'stale' || reason === 'used-by-you' || reason === 'not-applicable') return translate(lang)(`pos.coupon.${reason}`)
  return couponErrorText(reason, lang, terms)
}

/** A coupon that is priced before the order is written, and the member of staff who typed it. */
interface PricingRequest extends Omit<CouponOrder, 'products' | 'area'> {
  areaId: number | null
  staffId: number
  lang: Lang
}

export type PricedCoupon =
  | { ok: true; code: string; discount: number; delivery_saved: number }
  | { ok: false; reason: 'too-many'; waitSeconds: number }
  | { ok: false; reason: 'rejected'; text: string }

/** Prices a coupon for the order on the screen; sums in taka. Nothing is written but the count of unknown codes. */
export async function priceTypedCoupon(
  deps: AdminDeps & CouponLimitDeps,
  { areaId, staffId, lang, ...order }: PricingRequest,
): Promise<PricedCoupon> {
  const { db, shopCache, now } = deps
  const { waitSeconds, isKnown } = await countTypedCode(deps, staffId, order.code)
  if (waitSeconds > 0) return { ok: false, reason: 'too-many', waitSeconds }
  if (!isKnown) return { ok: false, reason: 'rejected', text: rejectionText('unknown', lang) }
  const rows = await shopCache.products(order.lines.map(({ productId }) => productId))
  const area = areaId === null ? undefined : (await shopCache.areas()).get(areaId)
  const priced = await priceCoupon(db, { ...order, products: [...rows.values()], area }, { now: now(), lang })
  if (!priced.ok) return { ok: false, reason: 'rejected', text: priced.text }
  const { code, discount, deliverySaved } = priced.coupon
  return { ok: true, code, discount: poishaToTaka(discount), delivery_saved: poishaToTaka(deliverySaved) }
}

/**
 * Looks up a code that a member of staff sent, and counts an unknown one: cashiers do not see the codes and must not find them by guessing.
 * Above the limit nothing is looked up.
 */
export async function countTypedCode(
  deps: CouponLimitDeps,
  staffId: number,
  code: string,
): Promise<{ waitSeconds: number; isKnown: boolean }> {
  const waitSeconds = await countCouponAttempt(deps, staffId)
  const isKnown = waitSeconds === 0 && (await isKnownCode(deps.db, code))
  if (isKnown) await uncountCouponAttempt(deps, staffId)
  return { waitSeconds, isKnown }
}

async function isKnownCode(db: Db, typed: string): Promise<boolean> {
  const code = normalizeCouponCode(typed)
  if (code === null) return false
  const found = await db.selectFrom('coupons').select('id').where('code', '=', code).where('active', '=', true).executeTakeFirst()
  return found !== undefined
}
