import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Db } from '#lib/db/db.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { checkBalance } from './check-balance.server.ts'
import { SMS_WAIT_MS } from './gateway.ts'
import { findSmsProvider } from './queries.server.ts'
import { resendSms } from './resend-sms.server.ts'
import type { SmsSender } from './sender.server.ts'

/** The `updated_at` of the message that the page showed. */
const resendBody = z
  .strictObject({
    updated_at: z.iso
      .datetime()
      .transform((at) => new Date(at))
      .optional(),
  })
  .nullish()

/** What the staff may do with messages. */
export function messagingApi({ db, sms }: { db: Db; sms: SmsSender }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/sms/:id/resend',
      {
        config: { permission: 'sms.send' },
        schema: { tags: ['admin'], summary: 'Send an SMS again that failed or may have', params: idParams, body: resendBody },
      },
      async ({ params, body, staff }, reply) => {
        const sent = await resendSms(db, params.id, staff, body?.updated_at ?? null)
        if (sent.ok) return { id: sent.value.id, state: 'queued' }
        if (sent.reason === 'not-there') return reply.fail(404, 'error.not-found')
        return reply.fail(409, `sms.resend.${sent.reason}`)
      },
    )

    app.post(
      '/admin/sms/balance',
      {
        config: { permission: 'sms.send', timeoutMs: SMS_WAIT_MS },
        schema: { tags: ['admin'], summary: 'Ask the SMS company what is left' },
      },
      async (_request, reply) => {
        if (sms.gateway === null) return reply.fail(409, 'sms.problem.not-configured')
        const balance = await checkBalance(db, sms.gateway)
        return balance.ok ? { provider: await findSmsProvider(db) } : reply.fail(502, 'sms.balance.away')
      },
    )
  }
}
