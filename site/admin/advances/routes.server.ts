import { listWaitingAdvances } from '#features/orders/advances/waiting-advances.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const advancesRoutes: AdminRoute[] = [
  {
    url: '/admin/advances',
    page: 'admin/advances/advances',
    permission: 'orders.read',
    async load({ db, lang, now }) {
      const props = { advances: await listWaitingAdvances(db, lang), now: now.toISOString() }
      return { props, head: adminHead(lang, { key: 'admin.nav.advances' }) }
    },
  },
]
