import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findCustomers } from '#features/customers/customer-list.server.ts'
import { readCustomerSearch } from '#features/customers/list-query-rules.ts'
import type { CouponLimitDeps } from '#features/pricing/coupons/coupon-rate-limit.server.ts'
import { keyOf, withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { idField, idParams, nullWhenEmpty, takaField, textField, versionField } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import { ZERO } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { badKey, earlierKeys, requestKey } from '#lib/http/idempotency-key.server.ts'
import { hasFormBody, isForm } from '#lib/http/request-kind.server.ts'
import { changeStatusOnce } from '../status/change-status-once.server.ts'
import { replyFieldErrors } from '../field-errors.server.ts'
import { ORDER_STATUSES } from '../rules.ts'
import { clearAttention } from '../status/clear-attention.server.ts'
import { createOrderByStaff } from './create-order.server.ts'
import { editOrder, type EditResult } from './edit-order.server.ts'
import { replyPricedCoupon } from './coupon-reply.server.ts'
import { orderCouponBody, storeOrderBody, updateOrderBody } from './forms.ts'
import { statusText } from './status-text.server.ts'
import { findKnownCustomer } from './known-customer.server.ts'
import type { AdminDeps } from '../order-deps.ts'
import { orderCommentsApi } from '../history/comments-api.server.ts'
import { priceTypedCoupon } from './staff-coupon.server.ts'
import { findAdminOrder } from '../history/order-details.server.ts'

const MAX_FOUND_CUSTOMERS = 8

/** Maximum orders in one request that changes statuses. */
const MAX_ORDERS = 100

const statusBody = z.object({
  orders: z
    .array(
      z.object({
        id: idField(),
        version: versionField,
        /** Cash collected at the door, in taka. */
        collected: nullWhenEmpty(takaField()).optional(),
      }),
    )
    .min(1)
    .max(MAX_ORDERS),
  status: z.enum(ORDER_STATUSES, { error: 'admin-orders.status-unknown' }),
  reason: textField().default(''),
  /** The collected cash goes into the drawer of the own open shift. */
  drawer: z.boolean().default(false),
})

/** Routes of the admin that create and change orders. */
export function ordersAdminApi(deps: AdminDeps & CouponLimitDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(createApi(deps))
    await app.register(newOrderApi(deps))
    await app.register(editApi(deps))
    await app.register(statusApi(deps))
    await app.register(orderCommentsApi(deps))
  }
}

/** Creating an order. */
function createApi(deps: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/store',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'Create an order', body: storeOrderBody },
      },
      async (request, reply) => {
        const { staff, viewer, body } = request
        const key = requestKey(request)
        if (key === null) return reply.fail(422, 'error.invalid', badKey(request.viewer.lang))
        const result = await createOrderByStaff(deps, body, staff, {
          lang: viewer.lang,
          idempotencyKey: key,
          earlier: earlierKeys(request),
          draftKeys: earlierKeys(request, 'x-draft-keys').map((sent) => keyOf(staff, sent)),
        })
        if (result.ok)
          return { message: translate(viewer.lang)('admin-orders.created'), order_id: result.orderId, redirect: '/admin/orders' }
        switch (result.reason) {
          case 'key-reused':
            return reply.fail(409, 'refusal.key-reused')
          case 'draft':
            return reply.fail(409, 'admin-orders.draft-changed', { reason: 'draft' })
          case 'created': {
            const id = localizeDigits(viewer.lang, String(result.orderId))
            const text = translate(viewer.lang)('admin-orders.created-earlier', { id })
            return reply.fail(409, 'error.invalid', { text, reason: 'created', order_id: result.orderId })
          }
          case 'gone':
            return replyUnavailable(reply, result)
          case 'invalid':
            return replyFieldErrors(reply, result.errors)
        }
      },
    )
  }
}

/** The form of a new order: the customer of a phone, customers by name, and the price of a coupon. */
function newOrderApi(deps: AdminDeps & CouponLimitDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/admin/orders/customer',
      {
        config: { permission: 'orders.write' },
        schema: {
          tags: ['admin orders'],
          summary: 'The customer of a whole phone number, with earlier delivery addresses',
          querystring: z.object({ phone: z.string().max(40) }),
        },
      },
      async ({ query }) => {
        const phone = normalizePhone(query.phone)
        return { customer: phone ? await findKnownCustomer(deps.db, phone) : null }
      },
    )

    app.get(
      '/api/admin/orders/customers',
      {
        config: { permission: 'orders.write' },
        schema: {
          tags: ['admin orders'],
          summary: 'Customers by name, phone or email, the newest first',
          querystring: z.object({ q: z.string().max(200) }),
        },
      },
      async ({ query }) => {
        const search = readCustomerSearch(query.q)
        return { customers: search ? await findCustomers(deps.db, search, MAX_FOUND_CUSTOMERS) : [] }
      },
    )

    app.post(
      '/api/admin/orders/coupon',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'The discount of a coupon on a new order', body: orderCouponBody },
      },
      async ({ body, staff, viewer: { lang } }, reply) => {
        const lines = body.products.map((line) => ({ productId: line.product_id, quantityMilli: line.quantity }))
        const order = { code: body.coupon, phone: body.phone, lines, areaId: body.area_id ?? null, staffId: staff.id, lang }
        return replyPricedCoupon(reply, await priceTypedCoupon(deps, order))
      },
    )
  }
}

/** Editing one order. */
function editApi(deps: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/update/:id',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'orders.write', invalidatesCache: true },
        schema: { tags: ['admin orders'], summary: 'Change an order', params: idParams, body: updateOrderBody },
      },
      async (request, reply) => {
        const { staff, viewer, params, body } = request
        const { shopCache } = deps
        const given = {
          lang: viewer.lang,
          isForm: hasFormBody(request),
          shop: { settings: await shopCache.settings(), areas: await shopCache.areas() },
        }
        let isRepeated = true
        const result = await withIdempotencyKey<EditResult>(deps.db, request, (db, earlier) => {
          isRepeated = false
          return editOrder({ ...deps, db }, params.id, body, staff, { ...given, earlier })
        })
        return answerEdit(deps, request, reply, params.id, { ...result, isRepeated })
      },
    )

    app.post(
      '/admin/orders/attention/:id',
      {
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'Clear the attention flag of an order', params: idParams },
      },
      async ({ staff, viewer, params }, reply) => {
        const done = await clearAttention(deps, params.id, staff)
        if (done === 'not-found') return reply.fail(404, 'error.not-found')
        return { order: await findAdminOrder(deps.db, params.id, viewer.lang, staff.can('orders.reopen')) }
      },
    )
  }
}

/** Changing the status of several orders. */
function statusApi(deps: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/status',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'Change the status of several orders; a result for each', body: statusBody },
      },
      async (request, reply) => {
        const { staff, viewer, body } = request
        if (requestKey(request) === null) return reply.fail(422, 'error.invalid', badKey(viewer.lang))
        const results = []
        // One transaction after the other, so that no order waits for the lock of the next one.
        for (const { id, version, collected } of body.orders) {
          const change = {
            to: body.status,
            reason: body.reason,
            version,
            mayReopen: staff.can('orders.reopen'),
            collected: collected ?? ZERO,
            ...(body.drawer ? { drawer: viewer.lang } : {}),
          }
          const result = await changeStatusOnce(deps, request, id, change)
          results.push(
            result.ok
              ? { id, ok: true, status: result.to, version: result.version }
              : { id, ok: false, message: await statusText(deps.db, result, viewer.lang) },
          )
        }
        return { results }
      },
    )
  }
}

type Reply = FastifyReply | Promise<FastifyReply>

/** Products that other orders have reserved, or that are short: 410 with a text that names them [S1]. */
function replyUnavailable(reply: FastifyReply, { errors, productIds }: { errors: Record<string, string[]>; productIds: number[] }): Reply {
  return reply.fail(410, 'error.invalid', { text: Object.values(errors).flat().join('\n'), errors, product_ids: productIds })
}

/** `isRepeated`: the result is that of an earlier press with the same inputs. */
type Outcome = EditResult & { isRepeated: boolean }

async function answerEdit(deps: AdminDeps, request: FastifyRequest, reply: FastifyReply, id: number, result: Outcome): Promise<unknown> {
  const { staff, viewer } = request
  const order = result.ok && isForm(request) ? null : await findAdminOrder(deps.db, id, viewer.lang, staff.can('orders.reopen'))
  // Another person has changed what that press saved.
  if (result.ok && result.isRepeated && order && order.version !== result.version)
    return reply.fail(409, 'admin-orders.conflict', { order })
  if (result.ok)
    return order
      ? { message: translate(viewer.lang)('admin-orders.saved'), order }
      : reply.redirect(`/admin/orders/update/${id}?saved=1`, 303)
  switch (result.reason) {
    case 'not-found':
      return reply.fail(404, 'error.not-found')
    case 'changed':
      return reply.fail(409, 'admin-orders.changed', { order })
    case 'not-editable':
      return reply.fail(409, 'admin-orders.not-editable', { order })
    case 'gone':
      return replyUnavailable(reply, result)
    case 'invalid':
      return replyFieldErrors(reply, result.errors)
  }
}
