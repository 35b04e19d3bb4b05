import { readableSms, readableText } from '#features/messaging/link-keys.ts'
import { countSms, findSmsBudget, findSmsProvider, listSms, SMS_PAGE, type SmsFilter } from '#features/messaging/queries.server.ts'
import { isProblemList, SMS_LIST_DAYS, SMS_LISTS } from '#features/messaging/types.ts'
import { failureLabel } from '#features/messaging/failure-rules.ts'
import { translate } from '#lib/i18n/translate.ts'
import { LOG_SORTS, readListView, readPages } from '#lib/db/keyset.ts'
import { readTypedId } from '#lib/format/id.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import { csvInstant, exportList } from '../list-export.server.ts'

export const smsRoutes: AdminRoute[] = [
  {
    url: '/admin/sms',
    page: 'admin/sms/sms',
    permission: 'sms.read',
    readsReplica: true,
    screen: 'sms',
    async load({ db, shopCache, lang, query, staff }) {
      const filter = smsFilter(query)
      const place = readListView(query, LOG_SORTS, SMS_PAGE)
      const { sms_daily_limit } = await shopCache.settings()
      const [page, counts, provider, budget] = await Promise.all([
        filter ? listSms(db, filter, place) : { rows: [], prev: null, next: null },
        countSms(db),
        findSmsProvider(db),
        findSmsBudget(db, sms_daily_limit),
      ])
      const shown = { ...page, rows: readableSms(page.rows, staff) }
      return { props: { page: shown, counts, provider, budget, query }, head: adminHead(lang, { key: 'admin.nav.sms' }) }
    },
  },
  {
    url: '/admin/sms/export',
    page: 'admin/sms/sms',
    permission: 'sms.read',
    load: exportSms,
  },
]

const NONE = { rows: [], prev: null, next: null }

/** The messages of the list as a file, in its order; codes and the keys of links are masked as there. */
function exportSms(context: AdminContext) {
  const { db, lang, query, staff } = context
  const t = translate(lang)
  const filter = smsFilter(query)
  return exportList(context, {
    subject: 'sms',
    name: 'sms',
    head: (['when', 'to', 'order', 'text', 'state'] as const).map((name) => t(`sms.log.${name}`)),
    pages: readPages(readListView(query, LOG_SORTS, SMS_PAGE), async (view) => (filter ? listSms(db, filter, view) : NONE)),
    line: (sms) => [
      csvInstant(sms.created_at),
      sms.phone,
      sms.order_id,
      readableText(sms.text, staff),
      sms.failure === null
        ? t(`sms.state.${sms.state}`)
        : `${t(`sms.state.${sms.state}`)}: ${t(`sms.failure.${failureLabel(sms.failure)}`)}`,
    ],
  })
}

/** A phone in any form, or the number of an order; null when it is neither, so that nothing is found. */
function smsFilter(query: Record<string, string>): SmsFilter | null {
  const state = SMS_LISTS.find((known) => known === query.state) ?? null
  const days = isProblemList(state) ? (SMS_LIST_DAYS.find((known) => String(known) === query.days) ?? null) : null
  const typed = (query.q ?? '').trim()
  if (typed === '') return { state, days }
  const phone = normalizePhone(typed)
  if (phone) return { state, days, phone }
  const orderId = readTypedId(latinDigits(typed))
  return orderId === null ? null : { state, days, orderId }
}
