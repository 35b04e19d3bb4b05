import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Db } from '#lib/db/db.server.ts'
import { readId } from '#lib/format/id.ts'
import { listAreas } from './areas/queries.server.ts'
import { findProduct, listStatuses } from './queries.server.ts'
import { dropEmptyQuery } from './query-fields.ts'
import { PRODUCT_STATUSES } from './rules.ts'
import { MAX_STATUS_IDS } from './status-update-rules.ts'

const idList = z
  .string()
  .max(4000, 'field.product-ids')
  .regex(/^(\d{1,15}(,\d{1,15})*)?$/, 'field.product-ids')
  .transform((text) => [...new Set(text.split(',').filter(Boolean).map(Number))].sort((a, b) => a - b))
  .refine((ids) => ids.length <= MAX_STATUS_IDS, 'field.product-ids')

const statusQuery = z.object({
  productIds: idList.default([]),
  status: z.enum(PRODUCT_STATUSES).optional(),
  lang: z.string().optional(),
})

/** The public routes of one product, the status refresh and the areas. Lists and search: features/search/api.server.ts. */
export function catalogApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  const config = { cache: 'public' } as const
  return async (app) => {
    app.addHook('preValidation', async (request) => dropEmptyQuery(request))

    app.get(
      '/api/product-status-update',
      { config, schema: { tags: ['catalog'], summary: 'Current status, price, note and date', querystring: statusQuery } },
      async ({ query, viewer }) => ({ products: await listStatuses(db, query.productIds, query.status ?? null, viewer.lang) }),
    )

    app.get(
      '/api/products/:id',
      { config, schema: { tags: ['catalog'], summary: 'One product', params: z.object({ id: z.string().max(40) }) } },
      async (request, reply) => {
        const id = readId(request.params.id)
        const product = id === null ? null : await findProduct(db, id, request.viewer.lang)
        return product ?? reply.fail(404, 'error.not-found')
      },
    )

    app.get(
      '/api/areas',
      {
        config,
        schema: {
          tags: ['catalog'],
          summary: 'Where the farm delivers',
          querystring: z.object({ active: z.enum(['true', 'false']).optional(), lang: z.string().optional() }),
        },
      },
      async ({ query, viewer }) => listAreas(db, query.active !== 'false', viewer.lang),
    )
  }
}
