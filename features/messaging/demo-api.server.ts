import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { listDemoSms } from './queries.server.ts'

/** The number of messages on the demo's outbox page. */
export const DEMO_MESSAGES = 50

/** The data that the outbox page of a demo shop polls. Other shops do not have this route. */
export function demoSmsApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/demo/sms', { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { messages: await listDemoSms(db, DEMO_MESSAGES) }
    })
  }
}
