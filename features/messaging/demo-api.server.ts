import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { listDemoSms } from './queries.server.ts'

/** As many as fill a few screens. */
export const DEMO_MESSAGES = 50

/** What the outbox page of a demo shop asks for again and again; a shop that is none has no such address. */
export function demoSmsApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/demo/sms', { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { messages: await listDemoSms(db, DEMO_MESSAGES) }
    })
  }
}
