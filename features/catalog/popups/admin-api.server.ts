import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { shortIdParams } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { addPopup, changePopup, deletePopup, type PopupChange } from './commands.server.ts'
import { newPopupBody, popupBody } from './forms.ts'
import { findPopupRecord } from './queries.server.ts'

const WRITES = { permission: 'catalog.write', invalidatesCache: true } as const

/** Admin routes of popups (campaigns on the home page). */
export function popupsApi({ db, now }: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/popups/store',
      { config: WRITES, schema: { tags: ['admin'], summary: 'Create a campaign', body: newPopupBody } },
      async (request, reply) => {
        const { staff, body, viewer } = request
        const added = await withIdempotencyKey(db, request, (tx) => addPopup(tx, staff, body))
        if (!added.ok) return refuse(reply, added, viewer.lang)
        return { popup: await findPopupRecord(db, added.id, now()), redirect: '/admin/popups' }
      },
    )

    app.post(
      '/admin/popups/:id',
      { config: WRITES, schema: { tags: ['admin'], summary: 'Update a campaign', params: shortIdParams, body: popupBody } },
      async ({ staff, params, body, viewer }, reply) => {
        const { version, ...form } = body
        const changed = await changePopup(db, staff, params.id, version, form)
        return changed.ok ? { popup: await findPopupRecord(db, params.id, now()) } : refuse(reply, changed, viewer.lang)
      },
    )

    app.delete(
      '/admin/popups/:id',
      { config: WRITES, schema: { tags: ['admin'], summary: 'Delete a campaign', params: shortIdParams } },
      async ({ staff, params }, reply) =>
        (await deletePopup(db, staff, params.id)) ? { redirect: '/admin/popups' } : reply.fail(404, 'error.not-found'),
    )
  }
}

function refuse(reply: FastifyReply, { reason }: Extract<PopupChange, { ok: false }>, lang: Lang) {
  if (reason === 'missing') return reply.fail(404, 'error.not-found')
  if (reason === 'stale') return reply.fail(409, 'admin.stale')
  return reply.fail(422, 'error.invalid', { errors: { image_id: [translate(lang)('popups.no-picture')] } })
}
