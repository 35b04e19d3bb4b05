import { readAdvanceHistoryQuery } from '#features/orders/advances/advance-history-rules.ts'
import { listReportedAdvances } from '#features/orders/advances/advance-history.server.ts'
import { listWaitingAdvances } from '#features/orders/advances/waiting-advances.server.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const advancesRoutes: AdminRoute[] = [
  {
    url: '/admin/advances',
    page: 'admin/advances/advances',
    permission: 'orders.read',
    async load({ db, lang }) {
      return { props: { advances: await listWaitingAdvances(db, lang) }, head: adminHead(lang, { key: 'admin.nav.advances' }) }
    },
  },
  {
    url: '/admin/advances/history',
    page: 'admin/advances/history',
    permission: 'orders.read',
    async load({ db, lang, query }) {
      const page = await listReportedAdvances(db, readAdvanceHistoryQuery(query), parseCursor(query, 1))
      return { props: { page, query }, head: adminHead(lang, { key: 'advances.history' }) }
    },
  },
]
