import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import type { CouponLimitDeps } from '#features/pricing/coupons/coupon-rate-limit.server.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { translate } from '#lib/i18n/translate.ts'
import { formatTaka, poishaToTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { badKey, requestKey } from '#lib/http/idempotency-key.server.ts'
import type { SaleTerms } from './approval-rules.ts'
import { discardSaleBody, saleBody } from './forms.ts'
import { discardOfflineSale } from './offline-sales.server.ts'
import { firstError } from './reply-errors.server.ts'
import type { SaleResult } from './sale-pricing.server.ts'
import { sell } from './sell.server.ts'

/** The API of sales: recording one, and discarding one that was never sent. */
export function posSaleApi(deps: AdminDeps & CouponLimitDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/quick-orders/store',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'Sell over the counter', body: saleBody },
      },
      async (request, reply) => {
        const { headers, staff, viewer, body } = request
        const key = requestKey(request)
        if (key === null) return reply.fail(422, 'error.invalid', badKey(request.viewer.lang))
        const sentAt = readInstant(headers['x-sent-at'])
        const result = await sell(deps, body, staff, { lang: viewer.lang, idempotencyKey: key, sentAt })
        if (result.ok) {
          const redirect = `/admin/quick-orders/pos-invoice/${result.orderId}`
          return { success: true, message: translate(viewer.lang)('pos.placed'), order_id: result.orderId, redirect }
        }
        return replySaleError(reply, result)
      },
    )

    app.post(
      '/admin/quick-orders/unsent/drop',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'Give up a sale that never reached the shop', body: discardSaleBody },
      },
      async ({ staff, body, viewer }, reply) => {
        const dropped = await discardOfflineSale(deps.db, staff, body)
        if (dropped.ok) return { success: true }
        const id = localizeDigits(viewer.lang, String(dropped.orderId))
        const text = translate(viewer.lang)('pos.unsent.is-sold', { id })
        return reply.fail(409, 'error.invalid', { text, order_id: dropped.orderId })
      },
    )
  }
}

/** The response to a rejected sale; its fields tell the POS what can be done. */
export function replySaleError(reply: FastifyReply, result: Exclude<SaleResult, { ok: true }>) {
  switch (result.reason) {
    case 'key-reused': {
      const { lang } = reply.request.viewer
      const id = localizeDigits(lang, String(result.orderId))
      const t = translate(lang)
      const text = result.by === undefined ? t('pos.key-reused-text', { id }) : t('pos.sold-by-other', { id, name: result.by })
      return reply.fail(409, 'error.invalid', { text, reason: result.reason, order_id: result.orderId })
    }
    case 'no-shift':
      return reply.fail(409, 'pos.no-shift', { reason: result.reason, open_shift: '/admin/quick-orders/shift/open' })
    case 'other-cashier':
      return reply.fail(409, 'pos.other-cashier', { reason: result.reason })
    case 'shift-closed':
      return reply.fail(409, 'pos.shift-is-closed', { reason: result.reason })
    case 'missing':
      return reply.fail(410, 'error.invalid', {
        text: firstError(result.errors),
        errors: result.errors,
        reason: result.reason,
        product_ids: result.productIds,
      })
    case 'approval': {
      const held = result.needed.lines.flatMap(({ id, isHeld }) => (isHeld ? [id] : []))
      // To a cashier, products on hold are unavailable: the same status as for missing stock.
      return reply.fail(held.length > 0 ? 410 : 422, 'error.invalid', {
        text: firstError(result.errors),
        errors: result.errors,
        reason: result.reason,
        product_ids: held,
        approval_needed: termsJson(result.needed),
      })
    }
    case 'changed': {
      const { lang } = reply.request.viewer
      return reply.fail(422, 'error.invalid', {
        text: translate(lang)('pos.changed', { amount: formatTaka(takaToPoisha(result.sums.total), lang) }),
        errors: result.errors,
        reason: result.reason,
        ...result.sums,
      })
    }
    case 'quantity':
      return reply.fail(422, 'error.invalid', { text: firstError(result.errors), errors: result.errors, reason: result.reason })
    case 'invalid':
      return reply.fail(422, 'error.invalid', { text: firstError(result.errors), errors: result.errors })
  }
}

/** The terms of a sale in the format of `approve`: taka, units. */
function termsJson({ discount, lines }: SaleTerms) {
  return {
    discount: poishaToTaka(discount),
    lines: lines.map(({ id, quantityMilli, price, isPriceSet, isHeld }) => {
      return { id, quantity: quantityMilli / 1000, price: poishaToTaka(price), price_is_set: isPriceSet, held: isHeld }
    }),
  }
}

/** The device's clock when it sent the request; null when unreadable. */
function readInstant(text: string | string[] | undefined): Date | null {
  const instant = typeof text === 'string' && text.length <= 40 ? new Date(text) : null
  return instant && !Number.isNaN(instant.getTime()) ? instant : null
}
