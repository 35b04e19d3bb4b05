import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { shortIdParams } from '#lib/form-fields.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { addArea, type AreaChange, changeArea } from './commands.server.ts'
import { areaBody, newAreaBody } from './forms.ts'

/** Admin routes of delivery areas and their charges. */
export function areasApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/areas/store',
      {
        config: { permission: 'catalog.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Add a delivery area', body: newAreaBody },
      },
      async (request, reply) => {
        const added = await withIdempotencyKey(db, request, (tx) => addArea(tx, request.staff, request.body))
        return added.ok ? { area: added.area, redirect: '/admin/areas' } : refuse(reply, added.reason, request.viewer.lang)
      },
    )

    app.post(
      '/admin/areas/:id',
      {
        config: { permission: 'catalog.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Change a delivery area', params: shortIdParams, body: areaBody },
      },
      async ({ staff, params, body, viewer }, reply) => {
        const { version, ...form } = body
        const changed = await changeArea(db, staff, params.id, version, form)
        return changed.ok ? { area: changed.area } : refuse(reply, changed.reason, viewer.lang)
      },
    )
  }
}

function refuse(reply: FastifyReply, reason: Extract<AreaChange, { ok: false }>['reason'], lang: Lang) {
  if (reason === 'missing') return reply.fail(404, 'error.not-found')
  if (reason === 'stale') return reply.fail(409, 'admin.stale')
  return reply.fail(422, 'error.invalid', { errors: { closed_weekdays: [translate(lang)('areas.weekdays-shop')] } })
}
