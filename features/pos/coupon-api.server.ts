import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { countCouponAttempt, type CouponLimitDeps, uncountCouponAttempt } from '#features/pricing/coupons/coupon-rate-limit.server.ts'
import { normalizeCouponCode } from '#features/pricing/coupons/rules.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import { couponBody } from './forms.ts'
import { priceCoupon, rejectionText } from './sale-coupon.server.ts'

/** The route that prices a coupon for the sale on the screen. Nothing is written; the sale redeems the coupon. */
export function posCouponApi(deps: AdminDeps & CouponLimitDeps): FastifyPluginAsyncZod {
  const { db, shopCache, now } = deps
  return async (app) => {
    app.post(
      '/api/admin/quick-orders/coupon',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'The discount of a coupon on a sale', body: couponBody },
      },
      async ({ body, staff, viewer: { lang } }, reply) => {
        const reject = (text: string) => reply.fail(422, 'error.invalid', { text, errors: { coupon: [text] } })
        const wait = await countCouponAttempt(deps, staff.id)
        if (wait > 0) return reply.fail(429, 'error.too-many', { retryAfterSeconds: wait })
        if (!(await isKnownCode(db, body.coupon))) return reject(rejectionText('unknown', lang))
        await uncountCouponAttempt(deps, staff.id)
        const lines = body.products.map(({ id, quantity }) => ({ productId: id, quantityMilli: quantity }))
        const rows = await shopCache.products(lines.map(({ productId }) => productId))
        const area = body.area_id === null ? undefined : (await shopCache.areas()).get(body.area_id)
        const sale = { code: body.coupon, phone: body.phone, lines, products: [...rows.values()], area }
        const priced = await priceCoupon(db, sale, { now: now(), lang })
        if (!priced.ok) return reject(priced.text)
        const { code, discount, deliverySaved } = priced.coupon
        return { code, discount: poishaToTaka(discount), delivery_saved: poishaToTaka(deliverySaved) }
      },
    )
  }
}

async function isKnownCode(db: AdminDeps['db'], typed: string): Promise<boolean> {
  const code = normalizeCouponCode(typed)
  if (code === null) return false
  const found = await db.selectFrom('coupons').select('id').where('code', '=', code).where('active', '=', true).executeTakeFirst()
  return found !== undefined
}
