import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { orderSmsLang } from '#features/messaging/order-sms.server.ts'
import type { SmsSender } from '#features/messaging/sender.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { GATEWAY_NAMES, GATEWAY_WAIT_MS, type Gateways } from '#features/payments/gateway.ts'
import { dayField } from '#lib/form-fields.ts'
import type { Db } from '#lib/db/db.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import { changeOpening } from './open-shop.server.ts'
import { sendTestSms } from './send-test-sms.server.ts'

const opensOn = z.literal('').or(dayField())
const openingBody = z.strictObject({
  isOpen: z.boolean().optional(),
  opensOn,
  shown: z.strictObject({ isOpen: z.boolean(), opensOn }).optional(),
})
const tags = ['admin']
/** Each test costs the shop an SMS, or a call to a gateway that counts them. */
const TESTS = { permission: 'settings.write', rateLimit: { max: 5, timeWindow: '1 minute' } } as const

interface SetupDeps {
  db: Db
  now: () => Date
  gateways: Gateways
  sms: SmsSender
}

/** Opening and closing the shop, and tests of what it is connected to. */
export function setupApi({ db, now, gateways, sms }: SetupDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/setup/opening',
      {
        config: { permission: 'settings.write', invalidatesCache: true },
        schema: { tags, summary: 'Open or close the shop', body: openingBody },
      },
      async ({ staff, body, viewer }, reply) => {
        const changed = await changeOpening(db, staff, body, dhakaDate(now()))
        if (changed.ok) return { opening: changed.opening }
        if (changed.reason === 'is-open') return reply.fail(409, 'setup.opened-meanwhile')
        if (changed.reason === 'stale') return reply.fail(409, 'admin.stale-row', { opening: changed.opening })
        if (changed.reason !== 'past') return reply.fail(409, `setup.cannot-open.${changed.reason}`)
        return reply.fail(422, 'setup.opens-on-past', { errors: { opensOn: [translate(viewer.lang)('setup.opens-on-past')] } })
      },
    )

    app.post(
      '/admin/setup/test-sms',
      { config: TESTS, schema: { tags, summary: 'Send an SMS to the own phone', body: z.strictObject({}) } },
      async ({ staff, viewer }, reply) => {
        if (sms.gateway === null) return reply.fail(409, 'sms.problem.not-configured')
        const settings = await readSettings(db)
        // A named sender may be bound to Bengali: an English test would fail although the SMS of the shop are sent.
        const lang = orderSmsLang(viewer.lang, settings)
        const sent = await sendTestSms(db, staff, translate(lang)('setup.test-sms-text', { shop: settings.shop.name[lang] }))
        return sent ?? reply.fail(409, 'setup.no-phone')
      },
    )

    app.post(
      '/admin/setup/test-gateway',
      {
        config: { ...TESTS, timeoutMs: GATEWAY_WAIT_MS },
        schema: {
          tags,
          summary: 'Ask a gateway whether it accepts the credentials',
          body: z.strictObject({ gateway: z.enum(GATEWAY_NAMES) }),
        },
      },
      async ({ body }, reply) => {
        const answer = await gateways[body.gateway]?.ping()
        if (answer?.ok) return { ok: true }
        return answer ? reply.fail(502, 'setup.gateway-refused', { detail: answer.detail }) : reply.fail(409, 'setup.gateway-off')
      },
    )
  }
}
