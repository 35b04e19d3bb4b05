import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { tagsBody } from './forms.ts'
import { changeTags, type TagDeps } from './tags.server.ts'

/** Tags of orders. */
export function orderTagsApi(deps: TagDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/tags',
      {
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'Add and remove tags of one or several orders', body: tagsBody },
      },
      async ({ staff, body }, reply) => {
        const results = await changeTags(deps, staff, body)
        return results.length > 0 ? { results } : reply.fail(404, 'error.not-found')
      },
    )
  }
}
