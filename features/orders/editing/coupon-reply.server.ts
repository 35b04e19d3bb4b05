import type { FastifyReply } from 'fastify'
import type { PricedCoupon } from './staff-coupon.server.ts'

/** Answers the discount of a coupon in taka, or its rejection at the field `coupon`. */
export function replyPricedCoupon(reply: FastifyReply, priced: PricedCoupon) {
  if (priced.ok) return { code: priced.code, discount: priced.discount, delivery_saved: priced.delivery_saved }
  if (priced.reason === 'too-many') return reply.fail(429, 'error.too-many', { retryAfterSeconds: priced.waitSeconds })
  return reply.fail(422, 'error.invalid', { text: priced.text, errors: { coupon: [priced.text] } })
}
