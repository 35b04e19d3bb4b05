import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

const validateBody = z.object({
  code: z.string().max(100),
  cart_items: z.array(z.object({ product_id: z.number().int().positive(), quantity: z.number().positive() })).max(100),
  is_new_customer: z.boolean().optional(),
})

/** Vouchers are for customers; none has been given out yet. */
export function couponsApi(): FastifyPluginAsyncZod {
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
      async (_request, reply) => reply.refuse(400, 'coupon.unknown'),
    )
  }
}
