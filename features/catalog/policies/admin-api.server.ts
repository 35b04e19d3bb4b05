import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { TEXT_BODY } from '#lib/http/body-limits.ts'
import type { Db } from '#lib/db/db.server.ts'
import { writePolicy } from './commands.server.ts'
import { policyBody, policyParams } from './forms.ts'

/** The call that writes one of the shop's papers. */
export function policiesApi({ db, now }: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/texts/:slug',
      {
        bodyLimit: TEXT_BODY,
        config: { right: 'catalog.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Write one of the shop’s papers', params: policyParams, body: policyBody },
      },
      async ({ staff, params, body }, reply) => {
        const { version, ...form } = body
        const policy = await writePolicy(db, staff, { slug: params.slug, version, form, now: now() })
        return policy ? { policy } : reply.refuse(409, 'admin.stale')
      },
    )
  }
}
