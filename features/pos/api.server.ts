import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { translate } from '#lib/i18n/translate.ts'
import { idParams } from '#lib/form-fields.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { BAD_KEY, requestKey } from '#lib/http/idempotency-key.server.ts'
import type { SaleTerms } from './approval-rules.ts'
import { readCatalog } from './catalog.server.ts'
import { findPosCustomer } from './customers.server.ts'
import { cashMoveBody, closeShiftBody, discardSaleBody, openShiftBody, returnBody, saleBody } from './forms.ts'
import { returnProducts } from './return-products.server.ts'
import { readPosPhone } from './rules.ts'
import { sell } from './sell.server.ts'
import { closeShift, moveCash, openShift } from './shifts.server.ts'
import type { SupervisorDeps } from './supervisors.server.ts'
import { refuseSupervisor } from './supervisors-api.server.ts'
import { discardOfflineSale } from './offline-sales.server.ts'

/** The calls of the till: selling, who the customer is, and the cashier's shift. */
export function posApi(deps: AdminDeps & SupervisorDeps): FastifyPluginAsyncZod {
  const { db, now } = deps
  return async (app) => {
    app.post(
      '/admin/quick-orders/store',
      { bodyLimit: LIST_BODY, config: { right: 'pos.sell' }, schema: { tags: ['till'], summary: 'Sell over the counter', body: saleBody } },
      async (request, reply) => {
        const { headers, staff, viewer, body } = request
        const key = requestKey(request)
        if (key === null) return reply.refuse(422, 'error.invalid', BAD_KEY)
        const sentAt = readInstant(headers['x-sent-at'])
        const result = await sell(deps, body, staff, { lang: viewer.lang, idempotencyKey: key, sentAt })
        if (result.ok) {
          const redirect = `/admin/quick-orders/pos-invoice/${result.orderId}`
          return { success: true, message: translate(viewer.lang)('pos.placed'), order_id: result.orderId, redirect }
        }
        switch (result.reason) {
          case 'key-reused':
            return reply.refuse(409, 'refusal.key-reused', { reason: result.reason })
          case 'no-shift':
            return reply.refuse(409, 'pos.no-shift', { reason: result.reason, open_shift: '/admin/quick-orders/shift/open' })
          case 'other-cashier':
            return reply.refuse(409, 'pos.other-cashier', { reason: result.reason })
          case 'shift-closed':
            return reply.refuse(409, 'pos.shift-is-closed', { reason: result.reason })
          case 'missing':
            return reply.refuse(410, 'error.invalid', {
              text: firstText(result.errors),
              errors: result.errors,
              reason: result.reason,
              product_ids: result.productIds,
            })
          case 'approval': {
            const held = result.needed.lines.flatMap(({ id, isHeld }) => (isHeld ? [id] : []))
            // Held goods are not available to a cashier: the same status as goods that are gone.
            return reply.refuse(held.length > 0 ? 410 : 422, 'error.invalid', {
              text: firstText(result.errors),
              errors: result.errors,
              reason: result.reason,
              product_ids: held,
              approval_needed: termsJson(result.needed),
            })
          }
          case 'changed':
            return reply.refuse(422, 'error.invalid', {
              text: translate(viewer.lang)('pos.changed', { amount: String(result.sums.total) }),
              errors: result.errors,
              reason: result.reason,
              ...result.sums,
            })
          case 'invalid':
            return reply.refuse(422, 'error.invalid', { text: firstText(result.errors), errors: result.errors })
        }
      },
    )

    app.post(
      '/admin/quick-orders/return/:id',
      {
        bodyLimit: LIST_BODY,
        config: { right: 'pos.sell' },
        schema: { tags: ['till'], summary: 'Take goods of a sale back', params: idParams, body: returnBody },
      },
      async (request, reply) => {
        const { staff, viewer, params, body } = request
        const key = requestKey(request)
        if (key === null) return reply.refuse(422, 'error.invalid', BAD_KEY)
        const result = await returnProducts(deps, params.id, body, staff, { lang: viewer.lang, idempotencyKey: key })
        if (result.ok) {
          const redirect = `/admin/quick-orders/return-slip/${result.returnId}`
          return { success: true, message: translate(viewer.lang)('pos.return.done'), return_id: result.returnId, redirect }
        }
        switch (result.reason) {
          case 'key-reused':
            return reply.refuse(409, 'refusal.key-reused')
          case 'no-shift':
            return reply.refuse(409, 'pos.no-shift', { open_shift: '/admin/quick-orders/shift/open' })
          case 'not-found':
            return reply.refuse(404, 'pos.return.not-found')
          case 'not-out':
          case 'settled':
            return reply.refuse(409, `pos.return.${result.reason}`)
          case 'changed':
            return reply.refuse(422, 'error.invalid', {
              text: firstText(result.errors),
              errors: result.errors,
              refund: poishaToTaka(result.refund),
            })
          case 'approval':
            return reply.refuse(422, 'error.invalid', {
              text: firstText(result.errors),
              errors: result.errors,
              reason: result.reason,
              approval_needed: { refund: poishaToTaka(result.refund) },
            })
          case 'wrong':
          case 'too-many':
            return refuseSupervisor(reply, result)
          case 'invalid':
            return reply.refuse(422, 'error.invalid', { text: firstText(result.errors), errors: result.errors })
        }
      },
    )

    app.get(
      '/api/admin/quick-orders/catalog',
      {
        config: { right: 'pos.read' },
        schema: {
          tags: ['till'],
          summary: 'The goods for the device of a till: all of them, or what changed since, in parts',
          querystring: z.object({ since: z.string().max(100).optional(), after: z.string().max(100).optional() }),
        },
      },
      async ({ query }, reply) => {
        const part = await readCatalog(db, query.since ?? null, query.after ?? null)
        if (!part) return reply.refuse(422, 'error.invalid', { errors: { since: ['what an earlier answer said'] } })
        return { ...part, limit: (await deps.facts.settings()).till_discount }
      },
    )

    app.post(
      '/admin/quick-orders/unsent/drop',
      {
        bodyLimit: LIST_BODY,
        config: { right: 'pos.sell' },
        schema: { tags: ['till'], summary: 'Give up a sale that never reached the shop', body: discardSaleBody },
      },
      async ({ staff, body, viewer }, reply) => {
        const dropped = await discardOfflineSale(db, staff, body)
        if (dropped.ok) return { success: true }
        const text = translate(viewer.lang)('pos.unsent.is-sold', { id: String(dropped.orderId) })
        return reply.refuse(409, 'error.invalid', { text, order_id: dropped.orderId })
      },
    )

    app.get(
      '/api/admin/quick-orders/customer',
      {
        config: { right: 'pos.sell' },
        schema: {
          tags: ['till'],
          summary: 'A known customer by the whole phone number',
          querystring: z.object({ phone: z.string().max(40) }),
        },
      },
      async ({ query }) => {
        const phone = readPosPhone(query.phone)
        return { customer: phone ? await findPosCustomer(db, phone) : null }
      },
    )

    app.post(
      '/admin/quick-orders/shift/open',
      { config: { right: 'pos.sell' }, schema: { tags: ['till'], summary: "Open the cashier's shift", body: openShiftBody } },
      async ({ staff, body }, reply) => {
        const opened = await openShift(db, staff, body.opening_cash, now())
        return opened.ok ? { success: true, shift_id: opened.id } : reply.refuse(409, 'pos.shift-already-open')
      },
    )

    app.post(
      '/admin/quick-orders/shift/cash',
      { config: { right: 'pos.sell' }, schema: { tags: ['till'], summary: 'Cash into the drawer, or out of it', body: cashMoveBody } },
      async (request, reply) => {
        const { staff, viewer, body } = request
        const moved = await withIdempotencyKey(db, request, (tx) => moveCash(tx, staff, body, now()))
        if (moved.ok) return { success: true }
        if (moved.reason === 'no-shift') return reply.refuse(409, 'pos.no-shift')
        return reply.refuse(422, 'pos.more-than-there-is', { errors: { amount: [translate(viewer.lang)('pos.more-than-there-is')] } })
      },
    )

    app.post(
      '/admin/quick-orders/shift/close',
      { config: { right: 'pos.sell' }, schema: { tags: ['till'], summary: "Close the cashier's shift", body: closeShiftBody } },
      async ({ staff, viewer, body }, reply) => {
        const closed = await closeShift(db, staff, body, now())
        if (closed.ok) return { success: true, redirect: '/admin/quick-orders/shifts' }
        if (closed.reason === 'no-shift') return reply.refuse(409, 'pos.no-shift')
        const text = translate(viewer.lang)('pos.unexplained')
        return reply.refuse(422, 'pos.unexplained', { errors: { note: [text] }, differences: closed.differences })
      },
    )
  }
}

/** A sale's terms as `approve` takes them: taka, units. */
function termsJson({ discount, lines }: SaleTerms) {
  return {
    discount: poishaToTaka(discount),
    lines: lines.map(({ id, quantityMilli, price, isPriceSet, isHeld }) => {
      return { id, quantity: quantityMilli / 1000, price: poishaToTaka(price), price_is_set: isPriceSet, held: isHeld }
    }),
  }
}

function firstText(errors: Record<string, string[]>): string {
  return Object.values(errors)[0]?.[0] ?? ''
}

/** The device's clock as it was when the call was sent; nothing that cannot be read. */
function readInstant(text: string | string[] | undefined): Date | null {
  const instant = typeof text === 'string' && text.length <= 40 ? new Date(text) : null
  return instant && !Number.isNaN(instant.getTime()) ? instant : null
}
