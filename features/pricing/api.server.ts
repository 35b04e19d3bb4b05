import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { readQuantity } from '../catalog/quantity-rules.ts'
import { validateBody } from './coupons/forms.ts'
import { countCouponAttempt, uncountCouponAttempt, type CouponLimitDeps } from './coupons/coupon-rate-limit.server.ts'
import { categoriesOf } from './coupons/product-categories.server.ts'
import { findCoupon } from './coupons/queries.server.ts'
import { couponErrorText } from './coupons/refusal-text.ts'
import {
  type CouponCustomer,
  couponFor,
  type CouponError,
  couponError,
  type CouponTerms,
  normalizeCouponCode,
  quotedError,
} from './coupons/rules.ts'
import { toQuoteProduct } from './quote-product.server.ts'
import { type Quote, quoteOrder } from './quote-rules.ts'
import { couponEffect } from './refusal-text.ts'
import type { Coupon } from './rules.ts'

export interface CouponsApiDeps extends CouponLimitDeps {
  shopCache: ShopCache
}

/** The route that checks a coupon for a cart. Signed-in customers only. A use is counted when the order is placed. */
export function couponsApi(deps: CouponsApiDeps): FastifyPluginAsyncZod {
  const { db, shopCache, now } = deps
  return async (app) => {
    const config = { rateLimit: { max: 30, timeWindow: '1 minute' } }
    app.post(
      '/coupons/validate',
      {
        config,
        preValidation: async (request, reply) => {
          if (!request.viewer.user) return reply.fail(401, 'coupon.sign-in')
        },
        schema: { tags: ['cart'], summary: 'Check a coupon', body: validateBody },
      },
      async (request, reply) => {
        const { user, lang } = request.viewer
        if (user === null) return reply.fail(401, 'coupon.sign-in')
        const refuse = (reason: CouponError, terms?: CouponTerms) =>
          reply.fail(400, 'error.invalid', { text: couponErrorText(reason, lang, terms) })
        const wait = await countCouponAttempt(deps, user.id)
        if (wait > 0) return reply.fail(429, 'error.too-many', { retryAfterSeconds: wait })
        const code = normalizeCouponCode(request.body.code)
        const found = code === null ? null : await findCoupon(db, code, user.id)
        if (found === null || !found.terms.active) return refuse('unknown')
        await uncountCouponAttempt(deps, user.id)
        const { terms, customer } = found
        const rejection = couponError(terms, customer, now())
        if (rejection !== null) return refuse(rejection, terms)

        const rows = await shopCache.products(request.body.cart_items.map((item) => item.product_id))
        const lines = request.body.cart_items.map((item) => ({
          productId: item.product_id,
          quantityMilli: readQuantity(item.quantity) ?? 0,
        }))
        const products = [...rows.values()]
        const coupon = couponFor(terms, products.map(categoriesOf))
        const quote = quoteOrder(
          { products: products.map((row) => toQuoteProduct(row, lang)), area: null, coupon },
          { lines, paymentType: null, partial: null },
        )
        const quoteRejection = quotedError(terms, quote)
        if (quoteRejection !== null) return refuse(quoteRejection, terms)
        return {
          message: translate(lang)(couponEffect(quote)),
          order: couponJson(found, coupon, quote),
        }
      },
    )
  }
}

/** The coupon and its discount on the cart, as the response names them. */
function couponJson({ terms, customer }: { terms: CouponTerms; customer: CouponCustomer }, coupon: Coupon, quote: Quote) {
  return {
    code: terms.code,
    coupon_discount_type: terms.kind,
    coupon_percentage: terms.percentBp / 100,
    max_discount_amount: terms.maxDiscount === null ? null : terms.maxDiscount / 100,
    coupon_value: terms.value / 100,
    applies_to_all: coupon.appliesToAll,
    // Listed products, or products of the cart in its categories; empty where it applies to all.
    applicable_products: coupon.productIds,
    coupon_scope: terms.scope,
    applicable_to: terms.firstOrderOnly ? 'new_customers' : 'all',
    is_new_customer: !customer.hasOrdered,
    minimum_amount: terms.minSubtotal / 100,
    coupon_discount: quote.couponDiscount / 100,
  }
}
