import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findTracking } from '#features/orders/history/find-tracking.server.ts'
import { findTrackedOrder } from '#features/orders/history/tracking.server.ts'
import { textField } from '#lib/form-fields.ts'
import { type MessageKey, textByKey } from '#lib/i18n/translate.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { isForm } from '#lib/http/request-kind.server.ts'
import type { Deps } from '../deps.ts'
import type { PageRenderer } from '../page/page-renderer.ts'

const body = z.object({ order: textField().default(''), phone: textField().default('') })

/** Order numbers are far below this. */
const MAX_DIGITS = 15

/** The state of a tracked order, and its tracking page by number and phone. */
export function trackRoutes(deps: Deps, pages: PageRenderer): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(findRoute(deps, pages))

    app.get(
      '/api/track/:code',
      { schema: { tags: ['orders'], summary: 'The state of a tracked order', params: z.object({ code: z.string().max(100) }) } },
      async (request, reply) => {
        const order = await findTrackedOrder(deps.db, request.params.code, request.viewer.lang)
        if (!order) return reply.fail(404, 'error.not-found')
        reply.header('cache-control', 'no-store')
        return { orders: [order] }
      },
    )
  }
}

/** Finds the tracking page of an order by its number and phone: forms are redirected there, API calls get its URL. */
function findRoute(deps: Deps, pages: PageRenderer): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/track',
      { config: { page: true }, schema: { tags: ['orders'], summary: 'Find the tracking page by order number and phone', body } },
      async (request, reply) => {
        const { order, phone } = request.body
        const { lang } = request.viewer
        const t = textByKey(lang)
        const again = (status: 404 | 422 | 429, key: MessageKey, errors: Record<string, MessageKey>, retryAfterSeconds?: number) => {
          const texts = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, t(text)]))
          if (!isForm(request)) {
            const listed = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, [text]]))
            const more = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
            return reply.fail(status, key, status === 422 ? { errors: listed, ...more } : more)
          }
          if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
          reply.header('cache-control', 'no-store')
          const props = {
            intro: t('track.intro', { sms: deps.sms.canSend }),
            values: { order, phone },
            errors: texts,
            problem: Object.keys(texts).length > 0 ? null : t(key),
          }
          return pages.send(request, reply, 'store/order/track-form', { status, props, head: { title: t('track.title'), canonical: null } })
        }

        const digits = latinDigits(order).replace(/[\s#]/g, '')
        const normalised = normalizePhone(phone)
        const errors: Record<string, MessageKey> = {}
        if (digits === '') errors.order = 'track.order-required'
        else if (!/^\d+$/.test(digits) || digits.length > MAX_DIGITS) errors.order = 'track.order-invalid'
        if (phone.trim() === '') errors.phone = 'track.phone-required'
        else if (normalised === null) errors.phone = 'track.phone-invalid'
        if (normalised === null || Object.keys(errors).length > 0) return again(422, 'error.invalid', errors)

        const found = await findTracking(deps, { orderId: Number(digits), phone: normalised, ip: request.ip })
        if (!found.ok && found.reason === 'too-many') return again(429, 'error.too-many', {}, found.retryAfter)
        if (!found.ok) return again(404, 'track.not-found', {})
        reply.header('cache-control', 'no-store')
        return isForm(request) ? reply.redirect(found.path, 303) : reply.send({ tracking_url: found.path })
      },
    )
  }
}
