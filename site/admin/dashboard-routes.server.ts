import type { AdminRoute } from './admin-route.server.ts'
import { officeHead } from './office-head.server.ts'

export const dashboardRoutes: AdminRoute[] = [
  {
    url: '/admin',
    page: 'admin/dashboard',
    right: 'office.enter',
    async load({ lang }) {
      return { props: {}, head: officeHead(lang, { key: 'office.nav.dashboard' }) }
    },
  },
]
