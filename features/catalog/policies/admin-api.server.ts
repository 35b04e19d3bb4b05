import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { TEXT_BODY } from '#lib/http/body-limits.ts'
import type { Db } from '#lib/db/db.server.ts'
import { savePolicy } from './commands.server.ts'
import { policyBody, policyParams } from './forms.ts'

/** The admin route that saves a policy page. */
export function policiesApi({ db, now }: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/texts/:slug',
      {
        bodyLimit: TEXT_BODY,
        config: { permission: 'catalog.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Save a policy page', params: policyParams, body: policyBody },
      },
      async ({ staff, params, body }, reply) => {
        const { version, ...form } = body
        const policy = await savePolicy(db, staff, { slug: params.slug, version, form, now: now() })
        return policy ? { policy } : reply.fail(409, 'admin.stale')
      },
    )
  }
}
