import { listAreas } from '#features/catalog/areas/queries.server.ts'
import { findOpenShift } from '#features/pos/shift-queries.server.ts'
import type { AdminRoute } from '../admin/admin-route.server.ts'
import { adminHead } from '../admin/admin-head.server.ts'

/** The POS page; shifts, reports and returns are in shift-routes.server.ts. */
export const posRoutes: AdminRoute[] = [
  {
    url: '/admin/quick-orders',
    page: 'pos/pos',
    permission: 'pos.read',
    async load({ db, shopCache, lang, staff }) {
      const [areas, shift, { scale_labels: scales, cash_rounding: roundsCash }] = await Promise.all([
        listAreas(db, true, lang),
        findOpenShift(db, staff.id),
        shopCache.settings(),
      ])
      const props = { areas, scales, roundsCash, isOpen: shift !== null, shiftId: shift?.id ?? null }
      return { props, head: adminHead(lang, { key: 'pos.title' }) }
    },
  },
]
