import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { orderVisitor } from '#features/orders/order-access.server.ts'
import { findOrderForVisitor } from '#features/orders/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { readCookie } from '#lib/http/read-cookie.ts'
import type { ConversionGateway } from './meta-gateway.server.ts'
import { storePurchase } from './purchase-reports.server.ts'

const MAX_USER_AGENT_LENGTH = 500

/** The form of the cookies that Meta's script sets: fb, the level of the domain, a time, an id. */
const META_COOKIE = /^fb\.\d\.\d{8,16}\.[\w.-]{1,255}$/

/** Body of POST /api/purchase-reports. */
const purchaseReportBody = z.strictObject({ order: z.int().min(1) })

/** The call by which a browser that agreed to advertisers' cookies lets the server report its purchase too. */
export function analyticsApi(deps: { db: Db; conversions: ConversionGateway | null }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/api/purchase-reports',
      {
        config: { rateLimit: { max: 20, timeWindow: '1 minute' } },
        schema: {
          tags: ['orders'],
          summary: 'Report an own purchase to Meta, after consent to advertising cookies',
          body: purchaseReportBody,
        },
      },
      async (request, reply) => {
        // Only visits of buyers: staff who open an order report no purchase.
        const order = await findOrderForVisitor(deps.db, request.body.order, orderVisitor(request.viewer, null), request.viewer.lang)
        if (order === null) return reply.fail(404, 'error.not-found')
        if (deps.conversions !== null)
          await storePurchase(deps.db, order.id, {
            browser_id: metaCookie(request.headers.cookie, '_fbp'),
            click_id: metaCookie(request.headers.cookie, '_fbc'),
            ip: request.ip,
            user_agent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
          })
        return reply.code(204).send()
      },
    )
  }
}

function metaCookie(header: string | undefined, name: string): string | null {
  const value = readCookie(header, name)
  return value !== null && META_COOKIE.test(value) ? value : null
}
