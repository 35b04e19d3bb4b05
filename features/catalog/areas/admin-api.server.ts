import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { shortIdParams } from '#lib/form-fields.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { addArea, changeArea } from './commands.server.ts'
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
      async (request) => {
        const { area } = await withIdempotencyKey(db, request, async (tx) => ({
          ok: true,
          area: await addArea(tx, request.staff, request.body),
        }))
        return { area, redirect: '/admin/areas' }
      },
    )

    app.post(
      '/admin/areas/:id',
      {
        config: { permission: 'catalog.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Change a delivery area', params: shortIdParams, body: areaBody },
      },
      async ({ staff, params, body }, reply) => {
        const { version, ...form } = body
        const changed = await changeArea(db, staff, params.id, version, form)
        if (changed.ok) return { area: changed.area }
        return changed.reason === 'stale' ? reply.fail(409, 'admin.stale') : reply.fail(404, 'error.not-found')
      },
    )
  }
}
