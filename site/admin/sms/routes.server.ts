import { countSms, findSmsBudget, findSmsProvider, listSms, type SmsFilter } from '#features/messaging/queries.server.ts'
import { SMS_STATES } from '#features/messaging/types.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const smsRoutes: AdminRoute[] = [
  {
    url: '/admin/sms',
    page: 'admin/sms/sms',
    permission: 'sms.read',
    readsReplica: true,
    screen: 'sms',
    async load({ db, shopCache, lang, query }) {
      const filter = smsFilter(query)
      const place = parseCursor(query, 1)
      const { sms_daily_limit } = await shopCache.settings()
      const [page, counts, provider, budget] = await Promise.all([
        filter ? listSms(db, filter, place) : { rows: [], prev: null, next: null },
        countSms(db),
        findSmsProvider(db),
        findSmsBudget(db, sms_daily_limit),
      ])
      return { props: { page, counts, provider, budget, query }, head: adminHead(lang, { key: 'admin.nav.sms' }) }
    },
  },
]

/** A phone in any form, or the number of an order; null when it is neither, so that nothing is found. */
function smsFilter(query: Record<string, string>): SmsFilter | null {
  const state = SMS_STATES.find((known) => known === query.state) ?? null
  const typed = (query.q ?? '').trim()
  if (typed === '') return { state }
  const phone = normalizePhone(typed)
  if (phone) return { state, phone }
  const number = latinDigits(typed).replace(/^#/, '')
  return /^[1-9]\d{0,9}$/.test(number) ? { state, orderId: Number(number) } : null
}
