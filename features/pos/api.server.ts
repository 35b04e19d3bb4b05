import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { posAccountApi } from './account/account-api.server.ts'
import { readCatalog } from './catalog.server.ts'
import { posCouponApi } from './coupon-api.server.ts'
import { findPosCustomer, PHONE_LOOKUP_LIMIT } from './customers.server.ts'
import { posExchangeApi } from './exchange-api.server.ts'
import { posFavouritesApi } from './favourites-api.server.ts'
import { posHeldApi } from './held-api.server.ts'
import { readPosTerms } from './pos-terms.server.ts'
import { posReceiptApi } from './receipt-api.server.ts'
import { posReceiptlessReturnApi } from './return-without-receipt-api.server.ts'
import { posReturnApi } from './return-api.server.ts'
import { posRegisterApi } from './register-api.server.ts'
import { readPosPhone } from './rules.ts'
import { posSaleApi } from './sale-api.server.ts'
import { findLatestShift } from './shift-queries.server.ts'
import { posShiftApi } from './shift-api.server.ts'
import type { SupervisorDeps } from './supervisors.server.ts'

/** The API of the POS: sales, returns, shifts, and the two lookups of the device. */
export function posApi(deps: AdminDeps & SupervisorDeps): FastifyPluginAsyncZod {
  const { db } = deps
  return async (app) => {
    await app.register(posSaleApi(deps))
    await app.register(posReceiptApi(deps))
    await app.register(posReturnApi(deps))
    await app.register(posExchangeApi(deps))
    await app.register(posReceiptlessReturnApi(deps))
    await app.register(posShiftApi(deps))
    await app.register(posRegisterApi(deps))
    await app.register(posFavouritesApi(deps))
    await app.register(posAccountApi(deps))
    await app.register(posHeldApi(deps))
    await app.register(posCouponApi(deps))

    app.get(
      '/api/admin/quick-orders/catalog',
      {
        config: { permission: 'pos.read' },
        schema: {
          tags: ['pos'],
          summary: 'The products for a POS device: all, or the changes since, in parts',
          querystring: z.object({ since: z.string().max(100).optional(), after: z.string().max(100).optional() }),
        },
      },
      async ({ query, staff }, reply) => {
        const part = await readCatalog(db, query.since ?? null, query.after ?? null)
        if (!part) return reply.fail(422, 'error.invalid', { errors: { since: ['the cursor of an earlier response'] } })
        const latest = await findLatestShift(db, staff.id)
        const shifts = { shift_id: latest?.isOpen ? latest.id : null, latest_shift_id: latest?.id ?? null }
        return { ...part, limit: (await deps.shopCache.settings()).pos_discount, ...shifts }
      },
    )

    app.get(
      '/api/admin/quick-orders/terms',
      {
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'The settings and delivery areas that the POS computes sales with' },
      },
      ({ viewer }) => readPosTerms(deps, viewer.lang, deps.now()),
    )

    app.get(
      '/api/admin/quick-orders/customer',
      {
        config: { permission: 'pos.sell', rateLimit: PHONE_LOOKUP_LIMIT },
        schema: {
          tags: ['pos'],
          summary: 'A known customer by the whole phone number',
          querystring: z.object({ phone: z.string().max(40) }),
        },
      },
      async ({ query }) => {
        const phone = readPosPhone(query.phone)
        return { customer: phone ? await findPosCustomer(db, phone) : null }
      },
    )
  }
}
