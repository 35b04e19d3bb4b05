import { listAreas } from '#features/catalog/queries.server.ts'
import { readSettings } from '#features/catalog/settings.server.ts'
import { findOpenShift, listShifts } from '#features/pos/shift-queries.server.ts'
import { dhakaDate, isDay } from '#lib/time.ts'
import type { AdminRoute } from './admin-route.server.ts'
import { officeHead } from './office-head.server.ts'

/** The till, and what its shifts came to. */
export const quickOrdersRoutes: AdminRoute[] = [
  {
    url: '/admin/quick-orders',
    page: 'admin/quick-orders',
    right: 'pos.read',
    async load({ db, lang, staff }) {
      const [areas, shift, { scale_labels: scales }] = await Promise.all([
        listAreas(db, true, lang),
        findOpenShift(db, staff.id),
        readSettings(db),
      ])
      return { props: { areas, scales, isOpen: shift !== null }, head: officeHead(lang, { key: 'pos.title' }) }
    },
  },
  {
    url: '/admin/quick-orders/shifts',
    page: 'admin/till-shifts',
    right: 'pos.read',
    async load({ db, lang, query, now }) {
      const day = query.day && isDay(query.day) ? query.day : dhakaDate(now)
      return { props: { day, shifts: await listShifts(db, day) }, head: officeHead(lang, { key: 'pos.shifts' }) }
    },
  },
]
