import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Settings } from '#features/settings/settings.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { findProgress } from './campaign-queries.server.ts'
import { CAMPAIGN_ACTIONS, controlCampaign } from './control-campaign.server.ts'
import { campaignBody, type CampaignInput } from './forms.ts'
import { startCampaign, type StartResult } from './start-campaign.server.ts'
import { sampleStopLink } from './stop-link.server.ts'
import { MAX_DAYS_AHEAD, MAX_PEOPLE, MAX_RUNNING } from './types.ts'

interface CampaignsApiDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
}

const config = { permission: 'campaigns.send' } as const

/** Routes that start and control campaigns. */
export function campaignsApi({ db, now, env, shopCache }: CampaignsApiDeps): FastifyPluginAsyncZod {
  const progressOf = async (id: number) => findProgress(db, id, await shopCache.settings(), now())
  return async (app) => {
    app.post(
      '/admin/sms/campaigns',
      {
        config: { ...config, rateLimit: { max: 20, timeWindow: '1 minute' } },
        schema: { tags: ['admin'], summary: 'Send an SMS to all customers of a filter', body: campaignBody },
      },
      async (request, reply) => {
        const { staff, viewer, body } = request
        const settings = await shopCache.settings()
        const options = { sendsEnglish: settings.sms_english, link: sampleStopLink(env.publicUrl), now: now() }
        const written = { headers: request.headers, url: request.url, staff, body: wordsOf(body) }
        const started = await withIdempotencyKey(db, written, (tx) => startCampaign(tx, body, options, staff))
        return started.ok ? { id: started.id, redirect: `/admin/sms/campaigns/${started.id}` } : failStart(reply, started, viewer.lang)
      },
    )

    app.get(
      '/api/admin/sms/campaigns/:id',
      // The page asks every few seconds while the campaign goes on.
      { config: { ...config, isBackground: true }, schema: { tags: ['admin'], summary: 'A campaign with its progress', params: idParams } },
      async ({ params }, reply) => {
        return (await progressOf(params.id)) ?? reply.fail(404, 'error.not-found')
      },
    )

    app.post(
      '/admin/sms/campaigns/:id/:action',
      {
        config,
        schema: {
          tags: ['admin'],
          summary: 'Pause, resume or stop a campaign',
          params: idParams.extend({ action: z.enum(CAMPAIGN_ACTIONS) }),
        },
      },
      async ({ params, staff }, reply) => {
        const changed = await controlCampaign(db, params.id, params.action, staff, now())
        if (changed.ok) return progressOf(params.id)
        return changed.reason === 'missing' ? reply.fail(404, 'error.not-found') : reply.fail(409, 'campaigns.already')
      },
    )
  }
}

/** What the author wrote. The list may have other people after a reload, which repeats a request without an answer. */
function wordsOf({ count: _count, up_to: _upTo, ...words }: CampaignInput): object {
  return words
}

function failStart(reply: FastifyReply, result: StartResult & { ok: false }, lang: Lang) {
  const t = translate(lang)
  const number = (value: number) => formatNumber(value, lang)
  switch (result.reason) {
    case 'texts': {
      const errors = Object.entries(result.errors).map(([language, error]) => [`text_${language}`, [t(`campaigns.error.${error}`)]])
      return reply.fail(422, 'error.invalid', { errors: Object.fromEntries(errors) as Record<string, string[]> })
    }
    case 'too-late':
      return reply.fail(422, 'error.invalid', { errors: { starts_at: [t('campaigns.error.too-late', { days: number(MAX_DAYS_AHEAD) })] } })
    case 'past':
      return reply.fail(422, 'error.invalid', { errors: { starts_at: [t('campaigns.error.past')] } })
    case 'none':
      return reply.fail(422, 'campaigns.error.none')
    case 'too-many-people':
      return reply.fail(422, 'error.invalid', { text: t('campaigns.error.too-many-people', { count: number(MAX_PEOPLE) }) })
    case 'too-many-campaigns':
      return reply.fail(409, 'error.invalid', { text: t('campaigns.error.too-many-campaigns', { count: number(MAX_RUNNING) }) })
    case 'changed':
      return reply.fail(409, 'error.invalid', { text: t('campaigns.error.changed', { count: number(result.count) }) })
  }
}
