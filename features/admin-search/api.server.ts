import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ProductSearch } from '#features/search/product-search.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { requiredText } from '#lib/form-fields.ts'
import { isStorable } from '#lib/format/text.ts'
import { MAX_FILTER_NAME_LENGTH } from './limits.ts'
import { findAnything } from './search-everything.server.ts'
import { deleteFilter, saveFilter } from './saved-filters.server.ts'

const screen = z.string().regex(/^[a-z][a-z-]{1,39}$/)

/** Routes of the command palette and of saved filters. */
export function adminSearchApi(deps: { db: Db; search: ProductSearch }): FastifyPluginAsyncZod {
  const { db } = deps
  return async (app) => {
    app.get(
      '/api/admin/find',
      {
        config: { permission: 'admin.enter' },
        schema: {
          tags: ['admin'],
          summary: 'Find orders, customers, products',
          querystring: z.object({ q: z.string().max(200).default('') }),
        },
      },
      async (request) => {
        const { staff, viewer, query } = request
        const may = { orders: staff.can('orders.read'), products: staff.can('catalog.read'), customers: staff.can('customers.read') }
        if (!isStorable(query.q)) return { found: [] }
        return { found: await request.read((db) => findAnything({ ...deps, db }, query.q, may, viewer.lang)) }
      },
    )

    app.post(
      '/api/admin/saved-filters',
      {
        // Lists read them from a cache.
        config: { permission: 'admin.enter', invalidatesCache: true },
        schema: {
          tags: ['admin'],
          summary: 'Save the filters of a list',
          body: z.strictObject({
            screen,
            name: requiredText(MAX_FILTER_NAME_LENGTH),
            query: z.string().max(1000).refine(isStorable),
          }),
        },
      },
      async ({ staff, body }, reply) => {
        const filter = await saveFilter(db, staff.id, body)
        return filter ? { filter } : reply.fail(409, 'admin.filters.too-many')
      },
    )

    app.delete(
      '/api/admin/saved-filters/:id',
      {
        config: { permission: 'admin.enter', invalidatesCache: true },
        schema: {
          tags: ['admin'],
          summary: 'Delete saved filters',
          params: z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
        },
      },
      async ({ staff, params }, reply) =>
        (await deleteFilter(db, staff.id, params.id)) ? { ok: true } : reply.fail(404, 'error.not-found'),
    )
  }
}
