import type { CachedArea } from '#features/catalog/shop-cache.server.ts'
import type { FieldErrors, PricedProduct } from '#features/orders/editing/order-line-pricing.server.ts'
import type { AdminLine } from '#features/orders/editing/pricing-rules.ts'
import { couponErrors, priceCoupon, type StaffCoupon } from '#features/orders/editing/staff-coupon.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { ZERO } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { couponConflict } from './coupon-rules.ts'
import type { SaleForm } from './forms.ts'

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
): Promise<{ ok: true; coupon: StaffCoupon | null } | { ok: false; reason: 'invalid'; errors: FieldErrors }> {
  if (!form.coupon) return { ok: true, coupon: null }
  const { phone } = form.customer
  const conflict = couponConflict({
    isExchange,
    hasPhone: phone !== '',
    hasDiscount: (form.discount ?? ZERO) > 0,
    hasSetPrice: lines.some(({ isPriceSet }) => isPriceSet),
    hasHeld: held.size > 0,
  })
  if (conflict) return couponErrors(translate(context.lang)(`pos.coupon.conflict.${conflict}`))
  const priced = await priceCoupon(tx, { code: form.coupon, phone, lines, products: [...products.rows.values()], area }, context)
  return priced.ok ? priced : couponErrors(priced.text)
}
