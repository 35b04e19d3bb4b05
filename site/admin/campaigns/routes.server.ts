import {
  CAMPAIGNS_PAGE,
  findProgress,
  listCampaigns,
  listNotReached,
  NOT_REACHED_PAGE,
} from '#features/campaigns/campaign-queries.server.ts'
import { countRecipients } from '#features/campaigns/recipients.server.ts'
import { sampleStopLink } from '#features/campaigns/stop-link.server.ts'
import { SEGMENT_NAMES } from '#features/customers/list-query-rules.ts'
import { campaignDailyLimit } from '#features/messaging/campaign-limit-rules.ts'
import { findSmsBudget, findSmsProvider } from '#features/messaging/queries.server.ts'
import { LOG_SORTS, readListView } from '#lib/db/keyset.ts'
import { readId } from '#lib/format/id.ts'
import { isStorable } from '#lib/format/text.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

/** The query of the list, without its order and page. */
const FILTERS = ['q', 'state', ...SEGMENT_NAMES]

function filterOf(query: Record<string, string>): string {
  const filters = FILTERS.flatMap((name) => (query[name] && isStorable(query[name]) ? [[name, query[name]] as [string, string]] : []))
  return new URLSearchParams(filters).toString()
}

export const campaignsRoutes: AdminRoute[] = [
  {
    url: '/admin/sms/campaigns',
    page: 'admin/campaigns/campaigns',
    permission: 'campaigns.send',
    async load({ db, lang, query }) {
      const list = await listCampaigns(db, readListView(query, LOG_SORTS, CAMPAIGNS_PAGE))
      return { props: { list }, head: adminHead(lang, { key: 'campaigns.title' }) }
    },
  },
  {
    url: '/admin/sms/campaigns/create',
    page: 'admin/campaigns/campaign-create',
    permission: 'campaigns.send',
    async load({ db, lang, query, shopCache, publicUrl }) {
      const { sms_english: sendsEnglish, sms_daily_limit, quiet_hours } = await shopCache.settings()
      const filter = filterOf(query)
      const [recipients, budget, provider] = await Promise.all([
        countRecipients(db, filter, sendsEnglish),
        findSmsBudget(db, campaignDailyLimit(sms_daily_limit)),
        findSmsProvider(db),
      ])
      const props = { filter, recipients, budget, provider, quietHours: quiet_hours, sendsEnglish, link: sampleStopLink(publicUrl) }
      return { props, head: adminHead(lang, { key: 'campaigns.new' }) }
    },
  },
  {
    url: '/admin/sms/campaigns/:id',
    page: 'admin/campaigns/campaign',
    permission: 'campaigns.send',
    async load({ db, lang, now, params, query, shopCache }) {
      const id = readId(params.id) ?? 0
      const after = /^\d{11}$/.test(query.after ?? '') ? query.after! : ''
      const settings = await shopCache.settings()
      const [progress, notReached] = await Promise.all([findProgress(db, id, settings, now), listNotReached(db, id, after)])
      if (!progress) return { refuse: 404 }
      const next = notReached.length < NOT_REACHED_PAGE ? null : { after: notReached.at(-1)!.phone }
      const props = { progress, notReached, prev: after === '' ? null : {}, next }
      return { props, head: adminHead(lang, progress.campaign.name) }
    },
  },
]
