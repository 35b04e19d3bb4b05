import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { translate } from '#lib/i18n/translate.ts'
import { createDraft, deleteDraft, type DraftSaved, updateDraft } from './drafts.server.ts'
import { deleteDraftBody, draftBody, newDraftBody } from './forms.ts'

const config = { permission: 'orders.write' } as const
const tags = ['admin orders']

/** Drafts of orders by phone. */
export function orderDraftsApi({ db, now }: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/drafts',
      { bodyLimit: LIST_BODY, config, schema: { tags, summary: 'Save a draft of an order', body: newDraftBody } },
      async (request, reply) => {
        const { staff, body } = request
        // `earlier` is the same draft with other words.
        const saved = await withIdempotencyKey<DraftSaved>(db, request, (tx, earlier) => createDraft(tx, staff, body.form, now(), earlier))
        return answer(reply, saved)
      },
    )

    app.post(
      '/admin/orders/drafts/:id',
      { bodyLimit: LIST_BODY, config, schema: { tags, summary: 'Change a draft of an order', params: idParams, body: draftBody } },
      async (request, reply) => {
        const { staff, params, body } = request
        const saved = await withIdempotencyKey<DraftSaved>(db, request, (tx, earlier) => {
          // The version of an answer that was lost.
          const version = earlier?.id === params.id ? Math.max(earlier.version, body.version) : body.version
          return updateDraft(tx, staff, params.id, { ...body, version }, now())
        })
        return answer(reply, saved)
      },
    )

    app.post(
      '/admin/orders/drafts/:id/delete',
      { config, schema: { tags, summary: 'Delete a draft of an order', params: idParams, body: deleteDraftBody } },
      async ({ params, body }, reply) => answer(reply, await deleteDraft(db, params.id, body.version)),
    )
  }
}

function answer(reply: FastifyReply, saved: DraftSaved): FastifyReply | Promise<FastifyReply> | { id: number; version: number } {
  if (saved.ok) return { id: saved.id, version: saved.version }
  const { lang } = reply.request.viewer
  switch (saved.reason) {
    case 'missing':
      return reply.fail(404, 'admin-orders.draft-gone')
    case 'too-many':
      return reply.fail(409, 'admin-orders.drafts-full')
    case 'stale': {
      const text = translate(lang)('admin-orders.draft-stale', { name: saved.by, when: formatDateTime(new Date(saved.at), lang) })
      return reply.fail(409, 'error.invalid', { text, reason: 'stale' })
    }
  }
}
