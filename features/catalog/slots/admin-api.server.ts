import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import type { Db } from '#lib/db/db.server.ts'
import { shortIdParams } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { reorderBody } from '../sort-order-form.ts'
import { addSlot, changeSlot, deleteSlot, reorderSlots, type SlotChange } from './commands.server.ts'
import { newSlotBody, slotBody } from './forms.ts'
import { findSlot } from './queries.server.ts'

const WRITES = { permission: 'catalog.write', invalidatesCache: true } as const

/** Admin routes of the home page slots. */
export function slotsApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/slots/store',
      { config: WRITES, schema: { tags: ['admin'], summary: 'Add a slot to the home page', body: newSlotBody } },
      async (request, reply) => {
        const { staff, body, viewer } = request
        const added = await withIdempotencyKey(db, request, (tx) => addSlot(tx, staff, body))
        return added.ok ? { slot: await findSlot(db, added.id, viewer.lang), redirect: '/admin/slots' } : refuse(reply, added, viewer.lang)
      },
    )

    app.post(
      '/admin/slots/reorder',
      { bodyLimit: LIST_BODY, config: WRITES, schema: { tags: ['admin'], summary: 'Reorder all slots', body: reorderBody } },
      async ({ staff, body }, reply) => {
        if (!(await reorderSlots(db, staff, body.order))) return reply.fail(422, 'moving.incomplete', { errors: {} })
        return {}
      },
    )

    app.post(
      '/admin/slots/:id',
      { config: WRITES, schema: { tags: ['admin'], summary: 'Update a slot and its products', params: shortIdParams, body: slotBody } },
      async ({ staff, params, body, viewer }, reply) => {
        const { version, ...form } = body
        const changed = await changeSlot(db, staff, params.id, version, form)
        return changed.ok ? { slot: await findSlot(db, params.id, viewer.lang) } : refuse(reply, changed, viewer.lang)
      },
    )

    app.delete(
      '/admin/slots/:id',
      { config: WRITES, schema: { tags: ['admin'], summary: 'Delete a slot', params: shortIdParams } },
      async ({ staff, params }, reply) =>
        (await deleteSlot(db, staff, params.id)) ? { redirect: '/admin/slots' } : reply.fail(404, 'error.not-found'),
    )
  }
}

function refuse(reply: FastifyReply, { reason }: Extract<SlotChange, { ok: false }>, lang: Lang) {
  if (reason === 'missing') return reply.fail(404, 'error.not-found')
  if (reason === 'stale') return reply.fail(409, 'admin.stale')
  return reply.fail(422, 'error.invalid', { errors: { product_ids: [translate(lang)('slots.unknown-product')] } })
}
