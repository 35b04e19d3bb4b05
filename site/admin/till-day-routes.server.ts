import { tillCodeSince } from '#features/pos/supervisors.server.ts'
import { isFresh } from '#features/auth/sessions.server.ts'
import { findReturn } from '#features/pos/return-papers.server.ts'
import { findOpenShift } from '#features/pos/shift-queries.server.ts'
import { findSlip, findSoldSale } from '#features/pos/sold-sales.server.ts'
import { idsToPrint } from '#features/orders/papers.server.ts'
import { translate } from '#lib/i18n.ts'
import type { AdminRoute } from './admin-route.server.ts'
import { officeHead } from './office-head.server.ts'

/** What a till's day knows besides selling: returns, and the codes of supervisors. */
export const tillDayRoutes: AdminRoute[] = [
  {
    url: '/admin/quick-orders/return',
    page: 'admin/till-return',
    right: 'pos.sell',
    async load({ db, lang, query, staff }) {
      const slip = (query.slip ?? '').slice(0, 300).trim()
      const [id, shift] = await Promise.all([slip === '' ? null : findSlip(db, slip), findOpenShift(db, staff.id)])
      const sale = id === null ? null : await findSoldSale(db, id, lang)
      return { props: { slip, sale, isOpen: shift !== null }, head: officeHead(lang, { key: 'pos.return.title' }) }
    },
  },
  {
    url: '/admin/quick-orders/return-slip/:id',
    page: 'admin/papers/return-slip',
    right: 'pos.read',
    async load({ db, lang, params, query }) {
      const paper = await findReturn(db, idsToPrint(params.id ?? '')[0] ?? 0, lang)
      if (!paper) return { refuse: 404 }
      const title = translate(lang)('pos.return.slip', { id: String(paper.id), order: String(paper.order_id) })
      return { props: { paper, printAtOnce: query.print === '1' }, head: officeHead(lang, title) }
    },
  },
  {
    url: '/admin/quick-orders/code',
    page: 'admin/till-code',
    right: 'pos.approve',
    async load({ db, lang, now, user, staff, path }) {
      if (!user || !isFresh(user, now)) return { redirect: `/account/confirm?next=${encodeURIComponent(path)}` }
      const since = await tillCodeSince(db, staff.id)
      return { props: { since: since?.toISOString() ?? null }, head: officeHead(lang, { key: 'pos.code.title' }) }
    },
  },
]
