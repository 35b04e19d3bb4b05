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
      const [areas, shift, { scale_labels: scales }] = await Promise.all([
        listAreas(db, true, lang),
        findOpenShift(db, staff.id),
        shopCache.settings(),
      ])
      const props = { areas, scales, isOpen: shift !== null, shiftId: shift?.id ?? null }
      return { props, head: adminHead(lang, { key: 'pos.title' }) }
    },
  },
  {
    url: '/admin/quick-orders/display',
    page: 'pos/customer-display',
    permission: 'pos.sell',
    load: async ({ lang }) => ({ props: {}, head: adminHead(lang, { key: 'pos.display' }) }),
  },
]
