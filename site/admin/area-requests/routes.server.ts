import { listAreaRequests } from '#features/area-requests/queries.server.ts'
import { AREA_REQUEST_STATES } from '#features/area-requests/rules.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const areaRequestsRoutes: AdminRoute[] = [
  {
    url: '/admin/area-requests',
    page: 'admin/area-requests/area-requests',
    permission: 'bookings.read',
    readsReplica: true,
    async load({ db, lang, query }) {
      const state = AREA_REQUEST_STATES.find((one) => one === query.state)
      const page = await listAreaRequests(db, state, parseCursor(query, 1))
      return { props: { page, state: state ?? null }, head: adminHead(lang, { key: 'admin.nav.area-requests' }) }
    },
  },
]
