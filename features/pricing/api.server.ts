import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { readQuantity } from '../catalog/quantity-rules.ts'
import { validateBody } from './coupons/forms.ts'
import { recordFailedCoupon, refundCouponRateLimit, type GuessDeps } from './coupons/coupon-rate-limit.server.ts'
import { categoriesOf } from './coupons/product-categories.server.ts'
import { findCoupon } from './coupons/queries.server.ts'
import { couponRefusalText } from './coupons/refusal-text.ts'
import { couponFor, type CouponRefusal, couponRefusal, type CouponTerms, normaliseCode, quotedRefusal } from './coupons/rules.ts'
import { productFacts } from './product-facts.server.ts'
import { quoteOrder } from './quote-rules.ts'
import { couponEffect } from './refusal-text.ts'

export interface CouponsApiDeps extends GuessDeps {
  facts: ShopCache
}

/** Vouchers are for customers: what one is worth for the cart in hand. It is counted when the order is placed. */
export function couponsApi(deps: CouponsApiDeps): FastifyPluginAsyncZod {
  const { db, facts, now } = deps
  return async (app) => {
    const config = { rateLimit: { max: 30, timeWindow: '1 minute' } }
    app.post(
      '/coupons/validate',
      {
        config,
        preValidation: async (request, reply) => {
          if (!request.viewer.user) return reply.refuse(401, 'coupon.sign-in')
        },
        schema: { tags: ['cart'], summary: 'Check a voucher', body: validateBody },
      },
      async (request, reply) => {
        const { user, lang } = request.viewer
        if (user === null) return reply.refuse(401, 'coupon.sign-in')
        const refuse = (reason: CouponRefusal, terms?: CouponTerms) =>
          reply.refuse(400, 'error.invalid', { text: couponRefusalText(reason, lang, terms) })
        const wait = await recordFailedCoupon(deps, user.id)
        if (wait > 0) return reply.refuse(429, 'error.too-many', { retryAfterSeconds: wait })
        const code = normaliseCode(request.body.code)
        const found = code === null ? null : await findCoupon(db, code, user.id)
        if (found === null || !found.terms.active) return refuse('unknown')
        await refundCouponRateLimit(deps, user.id)
        const { terms, customer } = found
        const barred = couponRefusal(terms, customer, now())
        if (barred !== null) return refuse(barred, terms)

        const rows = await facts.products(request.body.cart_items.map((item) => item.product_id))
        const lines = request.body.cart_items.map((item) => ({
          productId: item.product_id,
          quantityMilli: readQuantity(item.quantity) ?? 0,
        }))
        const products = [...rows.values()]
        const coupon = couponFor(terms, products.map(categoriesOf))
        const quote = quoteOrder(
          { products: products.map((row) => productFacts(row, lang)), area: null, coupon },
          { lines, paymentType: null, partial: null },
        )
        const unfit = quotedRefusal(terms, quote)
        if (unfit !== null) return refuse(unfit, terms)
        return {
          message: translate(lang)(couponEffect(quote)),
          order: {
            code: terms.code,
            coupon_discount_type: terms.kind,
            coupon_percentage: terms.percentBp / 100,
            max_discount_amount: terms.maxDiscount === null ? null : terms.maxDiscount / 100,
            coupon_value: terms.value / 100,
            applies_to_all: coupon.appliesToAll,
            // Those listed, or those of the cart that are in its categories; none where it applies to all.
            applicable_products: coupon.productIds,
            coupon_scope: terms.scope,
            applicable_to: terms.firstOrderOnly ? 'new_customers' : 'all',
            is_new_customer: !customer.hasOrdered,
            minimum_amount: terms.minSubtotal / 100,
            coupon_discount: quote.couponDiscount / 100,
          },
        }
      },
    )
  }
}
