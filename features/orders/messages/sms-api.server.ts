import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Settings } from '#features/settings/settings.ts'
import { isForm } from '#lib/http/request-kind.server.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import type { Db } from '#lib/db/db.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import { remindAdvance } from '../advances/remind-advance.server.ts'
import { listSmsTemplates, sendOrderSms } from './send-order-sms.server.ts'

interface OrderSmsDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
}

const LIMIT = { rateLimit: { max: 60, timeWindow: '1 minute' } }

/** Routes that send an SMS to the customer of an order. */
export function orderSmsApi(deps: OrderSmsDeps): FastifyPluginAsyncZod {
  const { db, now, env, shopCache } = deps
  return async (app) => {
    app.get(
      '/api/admin/orders/:id/sms-texts',
      { config: { permission: 'sms.send' }, schema: { tags: ['admin'], summary: 'Templates for an SMS', params: idParams } },
      async ({ params }, reply) => {
        const texts = await listSmsTemplates(db, params.id, await shopCache.settings(), env.publicUrl)
        return texts ? { texts } : reply.fail(404, 'error.not-found')
      },
    )

    app.post(
      '/admin/orders/remind/:id',
      {
        config: { permission: 'sms.send', ...LIMIT },
        schema: { tags: ['admin'], summary: 'Remind the customer of the missing advance of a booking, once a day', params: idParams },
      },
      async ({ staff, params }, reply) => {
        const reminded = await remindAdvance(deps, params.id, staff)
        if (reminded.ok) return reminded.value
        if (reminded.reason === 'not-found') return reply.fail(404, 'error.not-found')
        return reply.fail(409, `held.remind-${reminded.reason}`)
      },
    )

    app.post(
      '/admin/orders/send_sms/:id',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'sms.send', ...LIMIT },
        schema: {
          tags: ['admin'],
          summary: 'Send an SMS to the customer of an order',
          params: idParams,
          body: z.object({ message: z.string().max(20_000).default('') }),
        },
      },
      async (request, reply) => {
        const { params, body, staff, viewer } = request
        const sent = await sendOrderSms(db, params.id, body.message, staff, now())
        const t = translate(viewer.lang)
        if (!sent.ok) {
          if (sent.reason === 'not-there') return reply.fail(404, 'error.not-found')
          const text = t(`sms.written.${sent.reason}`)
          return reply.fail(422, 'error.invalid', { text, errors: { message: [text] } })
        }
        return isForm(request)
          ? reply.redirect(`/admin/orders/update/${params.id}`, 303)
          : { message: t('sms.written.sent'), id: sent.value.id, state: 'queued' }
      },
    )
  }
}
