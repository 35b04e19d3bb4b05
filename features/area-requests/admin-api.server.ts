import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { handleAreaRequestBody } from './forms.ts'
import { type AreaRequestRow, findAreaRequest } from './queries.server.ts'
import type { AreaRequestState } from './rules.ts'

/** The admin route that updates the state and note of a request. */
export function areaRequestsAdminApi(deps: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/area-requests/:id',
      {
        config: { permission: 'bookings.write' },
        schema: { tags: ['admin'], summary: 'Update the state and note of an area request', params: idParams, body: handleAreaRequestBody },
      },
      async ({ staff, params, body: { state, note, version } }, reply) => {
        const result = await handleAreaRequest(deps.db, staff, params.id, { state, note, version }, deps.now())
        if (result.ok) return { request: result.request }
        if (result.reason === 'missing') return reply.fail(404, 'error.not-found')
        return reply.fail(409, 'admin.stale-row', { request: await findAreaRequest(deps.db, params.id) })
      },
    )
  }
}

type Handled = { ok: true; request: AreaRequestRow } | { ok: false; reason: 'stale' | 'missing' }

/** Updates a request if it still has this version. */
function handleAreaRequest(
  db: Db,
  actor: Actor,
  id: number,
  { version, ...fields }: { state: AreaRequestState; note: string; version: number },
  now: Date,
): Promise<Handled> {
  return inTransaction(db, async (tx) => {
    const before = await findAreaRequest(tx, id)
    const updated = await updateVersioned(tx, 'area_requests', id, version, { ...fields, handled_by: actor.id, handled_at: now })
    if (!updated.ok) return updated
    const request = await findAreaRequest(tx, id)
    if (!request) throw new Error(`area request ${id} was deleted while it was written`)
    await audit(tx, actor, { action: 'changed', subject: 'area-request', id, before, after: request })
    return { ok: true, request }
  })
}
