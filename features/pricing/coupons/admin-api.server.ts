import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import type { Db } from '#lib/db/db.server.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { idParams, versionField } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type CouponWriteError, createCoupon, stopCoupon, updateCoupon } from './commands.server.ts'
import { couponBody, couponForm } from './forms.ts'
import { findCouponRecord } from './admin-queries.server.ts'

const WRITES = { permission: 'catalog.write' } as const

/** Admin routes that create, update and stop coupons. */
export function couponsAdminApi({ db, now }: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/coupons/store',
      { bodyLimit: LIST_BODY, config: WRITES, schema: { tags: ['admin'], summary: 'Create a coupon', body: couponForm } },
      async (request, reply) => {
        const created = await withIdempotencyKey(db, request, (tx) => createCoupon(tx, request.staff, request.body))
        return created.ok ? { redirect: `/admin/coupons/${created.value}` } : refuse(reply, created.reason, request.viewer.lang)
      },
    )

    app.post(
      '/admin/coupons/:id',
      {
        bodyLimit: LIST_BODY,
        config: WRITES,
        schema: { tags: ['admin'], summary: 'Update a coupon', params: idParams, body: couponBody },
      },
      async ({ staff, params, body, viewer }, reply) => {
        const { version, ...form } = body
        const changed = await updateCoupon(db, staff, params.id, version, form)
        if (!changed.ok) return refuse(reply, changed.reason, viewer.lang)
        return { coupon: await findCouponRecord(db, params.id, { lang: viewer.lang, now: now() }) }
      },
    )

    app.post(
      '/admin/coupons/:id/stop',
      {
        config: WRITES,
        schema: { tags: ['admin'], summary: 'Stop a coupon', params: idParams, body: z.strictObject({ version: versionField }) },
      },
      async ({ staff, params, body, viewer }, reply) => {
        const stopped = await stopCoupon(db, staff, params.id, body.version)
        return stopped.ok ? { version: stopped.value } : refuse(reply, stopped.reason, viewer.lang)
      },
    )
  }
}

const FIELD = {
  'code-taken': 'code',
  'unknown-product': 'product_ids',
  'unknown-category': 'category_ids',
  'limit-below-uses': 'max_uses',
} as const

function refuse(reply: FastifyReply, reason: CouponWriteError, lang: Lang) {
  if (reason === 'not-found') return reply.fail(404, 'error.not-found')
  if (reason === 'changed') return reply.fail(409, 'admin.stale')
  return reply.fail(422, 'error.invalid', { errors: { [FIELD[reason]]: [translate(lang)(`coupons.${reason}`)] } })
}
