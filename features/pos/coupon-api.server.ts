import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { replyPricedCoupon } from '#features/orders/editing/coupon-reply.server.ts'
import { priceTypedCoupon } from '#features/orders/editing/staff-coupon.server.ts'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import type { CouponLimitDeps } from '#features/pricing/coupons/coupon-rate-limit.server.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { couponBody } from './forms.ts'

/** The route that prices a coupon for the sale on the screen. Nothing is written; the sale redeems the coupon. */
export function posCouponApi(deps: AdminDeps & CouponLimitDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/api/admin/quick-orders/coupon',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'The discount of a coupon on a sale', body: couponBody },
      },
      async ({ body, staff, viewer: { lang } }, reply) => {
        const lines = body.products.map(({ id, quantity }) => ({ productId: id, quantityMilli: quantity }))
        const order = { code: body.coupon, phone: body.phone, lines, areaId: body.area_id, staffId: staff.id, lang }
        return replyPricedCoupon(reply, await priceTypedCoupon(deps, order))
      },
    )
  }
}
