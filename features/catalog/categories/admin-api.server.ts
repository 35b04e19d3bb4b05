import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import type { Db } from '#lib/db/db.server.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { shortIdParams } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { reorderBody } from '../sort-order-form.ts'
import { addCategory, type CategoryError, changeCategory, deleteCategory, reorderCategories } from './commands.server.ts'
import { categoryBody, newCategoryBody } from './forms.ts'
import { listCategories } from './queries.server.ts'

const WRITES = { permission: 'catalog.write', invalidatesCache: true } as const

/** Admin routes of the category list and form. */
export function categoriesApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/admin/categories',
      { config: { permission: 'catalog.read' }, schema: { tags: ['admin'], summary: 'All categories, in order' } },
      ({ viewer }) => listCategories(db, viewer.lang),
    )

    app.post(
      '/api/admin/categories/reorder',
      { bodyLimit: LIST_BODY, config: WRITES, schema: { tags: ['admin'], summary: 'Reorder all categories', body: reorderBody } },
      async ({ staff, body, viewer }, reply) => {
        if (!(await reorderCategories(db, staff, body.order))) return reply.fail(422, 'moving.incomplete', { errors: {} })
        return { message: translate(viewer.lang)('moving.saved') }
      },
    )

    app.post(
      '/admin/category/store',
      { config: WRITES, schema: { tags: ['admin'], summary: 'Add a category', body: newCategoryBody } },
      async (request, reply) => {
        const added = await withIdempotencyKey(db, request, (tx) => addCategory(tx, request.staff, request.body))
        return added.ok ? { category: added.category, redirect: '/admin/categories' } : refuse(reply, added.reason, request.viewer.lang)
      },
    )

    app.post(
      '/admin/category/update/:id',
      { config: WRITES, schema: { tags: ['admin'], summary: 'Update a category', params: shortIdParams, body: categoryBody } },
      async ({ staff, params, body, viewer }, reply) => {
        const { version, ...form } = body
        const changed = await changeCategory(db, staff, params.id, version, form)
        return changed.ok ? { category: changed.category } : refuse(reply, changed.reason, viewer.lang)
      },
    )

    app.delete(
      '/admin/category/delete/:id',
      { config: WRITES, schema: { tags: ['admin'], summary: 'Delete a category', params: shortIdParams } },
      async ({ staff, params, viewer }, reply) => {
        const outcome = await deleteCategory(db, staff, params.id)
        if (outcome === 'deleted') return { message: translate(viewer.lang)('categories.deleted') }
        return outcome === 'missing' ? reply.fail(404, 'error.not-found') : reply.fail(409, `categories.${outcome}`)
      },
    )
  }
}

const FIELD = { 'name-taken': 'name_en', 'protected-group': 'delivery_group' } as const

function refuse(reply: FastifyReply, reason: CategoryError, lang: Lang) {
  if (reason === 'missing') return reply.fail(404, 'error.not-found')
  if (reason === 'stale') return reply.fail(409, 'admin.stale')
  return reply.fail(422, 'error.invalid', { errors: { [FIELD[reason]]: [translate(lang)(`categories.${reason}`)] } })
}
