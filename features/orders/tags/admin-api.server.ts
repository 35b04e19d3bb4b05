import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { tagsBody } from './forms.ts'
import { changeTags } from './tags.server.ts'

/** Tags of orders. */
export function orderTagsApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/tags',
      {
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'Add and remove tags of one or several orders', body: tagsBody },
      },
      async ({ staff, body }, reply) => {
        const results = await changeTags(db, staff, body)
        return results.length > 0 ? { results } : reply.fail(404, 'error.not-found')
      },
    )
  }
}
