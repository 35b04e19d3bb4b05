import { sql } from 'kysely'
import type { CachedArea } from '#features/catalog/shop-cache.server.ts'
import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import type { FieldErrors, PricedProduct } from '#features/orders/editing/order-line-pricing.server.ts'
import type { AdminLine } from '#features/orders/editing/pricing-rules.ts'
import { couponUse, findCouponRejection, readCoupon } from '#features/orders/checkout/order-coupon.server.ts'
import { couponErrorText } from '#features/pricing/coupons/refusal-text.ts'
import type { CouponError, CouponTerms } from '#features/pricing/coupons/rules.ts'
import { toQuoteProduct } from '#features/pricing/quote-product.server.ts'
import { quoteOrder } from '#features/pricing/quote-rules.ts'
import { couponEffect } from '#features/pricing/refusal-text.ts'
import { areaCharges } from '#features/pricing/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type Poisha, poisha, ZERO } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { couponConflict } from './coupon-rules.ts'
import type { SaleForm } from './forms.ts'

/** A coupon that a sale uses. */
export interface SaleCoupon {
  code: string
  /** Taken off the products at their current prices. */
  discount: Poisha
  /** Taken off the delivery charge. */
  deliverySaved: Poisha
  /** The input of SQL `redeem_coupon`. Its discount includes the product discounts that the coupon replaces, as for web orders. */
  use: NonNullable<ReturnType<typeof couponUse>>
}

type Rejected = { ok: false; text: string }

/** A sale as its coupon is priced. */
export interface CouponSale {
  code: string
  phone: string
  lines: readonly { productId: number; quantityMilli: number }[]
  products: readonly SoldProductRow[]
  /** The area of the delivery; undefined over the counter. */
  area: CachedArea | undefined
}

/** The discount of a coupon by the rules of web checkout, or the reason why the sale cannot use it. */
export async function priceCoupon(
  db: Db,
  { code, phone, lines, products, area }: CouponSale,
  { now, lang }: { now: Date; lang: Lang },
): Promise<{ ok: true; coupon: SaleCoupon } | Rejected> {
  const read = await readCoupon(db, { couponCode: code, userId: await findCustomerId(db, phone) }, products, now)
  if (!read.ok) return { ok: false, text: rejectionText(read.refusal, lang, read.terms) }
  const { applied } = read
  const quote = quoteOrder(
    { products: products.map((row) => toQuoteProduct(row, lang)), area: area ? areaCharges(area) : null, coupon: applied?.coupon ?? null },
    { lines, paymentType: null, partial: null },
  )
  const rejection = findCouponRejection(applied, quote)
  if (rejection) return { ok: false, text: rejectionText(rejection.refusal, lang, rejection.terms) }
  // Over the counter there is no delivery charge.
  const sold = area ? quote : { ...quote, deliverySaved: ZERO }
  const use = couponUse(applied, sold)
  if (!applied || !use) return { ok: false, text: noEffectText(quote, lang) }
  const discount = poisha(sold.couponDiscount > 0 ? sold.couponDiscount - sold.productDiscount : 0)
  return { ok: true, coupon: { code: applied.terms.code, discount, deliverySaved: sold.deliverySaved, use } }
}

function noEffectText(quote: Parameters<typeof couponEffect>[0], lang: Lang): string {
  const effect = couponEffect(quote)
  return translate(lang)(effect === 'coupon.discounts-better' ? effect : 'coupon.no-effect')
}

/** The rejection of a sale at its coupon. */
export const couponErrors = (text: string) => {
  const errors: FieldErrors = { coupon: [text] }
  return { ok: false, reason: 'invalid', errors } as const
}

interface PricedSale {
  form: SaleForm
  lines: readonly AdminLine[]
  products: PricedProduct
  held: ReadonlySet<number>
  isExchange: boolean
  area: CachedArea | undefined
}

/** The coupon of a sale, null without one, or the reason why the sale cannot use it. */
export async function findSaleCoupon(
  tx: Db,
  { form, lines, products, held, isExchange, area }: PricedSale,
  context: { now: Date; lang: Lang },
): Promise<{ ok: true; coupon: SaleCoupon | null } | { ok: false; reason: 'invalid'; errors: FieldErrors }> {
  if (!form.coupon) return { ok: true, coupon: null }
  const { phone } = form.customer
  const conflict = couponConflict({
    isExchange,
    hasPhone: phone !== '',
    hasDiscount: (form.discount ?? ZERO) > 0,
    hasSetPrice: lines.some(({ priceIsSet }) => priceIsSet),
    hasHeld: held.size > 0,
  })
  if (conflict) return couponErrors(translate(context.lang)(`pos.coupon.conflict.${conflict}`))
  const priced = await priceCoupon(tx, { code: form.coupon, phone, lines, products: [...products.rows.values()], area }, context)
  return priced.ok ? priced : couponErrors(priced.text)
}

/** A customer without a number in the shop has used no coupon. */
async function findCustomerId(db: Db, phone: string): Promise<number> {
  const user = await db.selectFrom('users').select('id').where('phone', '=', phone).executeTakeFirst()
  return user?.id ?? 0
}

/** Thrown to roll back a sale whose coupon was used or changed by a concurrent transaction. */
export class CouponRejectedError extends Error {
  readonly reason: CouponError | 'stale'

  constructor(reason: CouponError | 'stale') {
    super(`coupon rejected: ${reason}`)
    this.reason = reason
  }
}

/** Counts a use of the coupon for a written sale. Locks the coupon: the last lock of the transaction. */
export async function redeemCoupon(tx: Db, orderId: number, { use }: SaleCoupon): Promise<void> {
  const { rows } = await sql<{ rejection: CouponError | 'stale' | null }>`
    select redeem_coupon(${orderId}, ${JSON.stringify(use)}::jsonb) as rejection`.execute(tx)
  const rejection = rows[0]?.rejection
  if (rejection) throw new CouponRejectedError(rejection)
}

/** The text of a rejection, as a cashier reads it. */
export function rejectionText(reason: CouponError | 'stale', lang: Lang, terms: CouponTerms | null = null): string {
  if (reason === 'stale' || reason === 'used-by-you' || reason === 'not-applicable') return translate(lang)(`pos.coupon.${reason}`)
  return couponErrorText(reason, lang, terms)
}
