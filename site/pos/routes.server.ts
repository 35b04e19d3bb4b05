import { listAreas } from '#features/catalog/areas/queries.server.ts'
import { readCalendar } from '#features/orders/delivery-calendar.server.ts'
import { listDate } from '#features/orders/rules.ts'
import { findFavourites, listFavouriteTiles } from '#features/pos/favourites.server.ts'
import { listRegisters } from '#features/pos/registers.server.ts'
import { reportScope } from '#features/pos/report-scope-rules.ts'
import { enabledMethods } from '#features/pos/rules.ts'
import { findOpenShift } from '#features/pos/shift-queries.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { AdminRoute } from '../admin/admin-route.server.ts'
import { adminHead } from '../admin/admin-head.server.ts'

/** The POS page; shifts, reports and returns are in shift-routes.server.ts. */
export const posRoutes: AdminRoute[] = [
  {
    url: '/admin/quick-orders',
    page: 'pos/pos',
    permission: 'pos.read',
    async load({ db, shopCache, lang, now, staff }) {
      const [areas, shift, settings, favourites] = await Promise.all([
        listAreas(db, true, lang),
        findOpenShift(db, staff.id),
        shopCache.settings(),
        listFavouriteTiles(db, lang),
      ])
      const registers = shift ? [] : await listRegisters(db, reportScope(staff, settings))
      const props = {
        areas,
        scales: settings.scale_labels,
        favourites,
        roundsCash: settings.cash_rounding,
        walkInSales: settings.walk_in_sales,
        days: {
          cutoffHour: settings.cutoff_hour,
          calendar: await readCalendar(db, settings, listDate(now, settings.cutoff_hour)),
          isCollectionOffered: settings.collection.is_offered,
        },
        methods: enabledMethods(settings.pos_methods),
        registers,
        isOpen: shift !== null,
        shiftId: shift?.id ?? null,
        openSince: shift && dhakaDate(shift.openedAt) < dhakaDate(now) ? shift.openedAt.toISOString() : null,
      }
      return { props, head: adminHead(lang, { key: 'pos.title' }) }
    },
  },
  {
    url: '/admin/quick-orders/favourites',
    page: 'pos/edit-favourites',
    permission: 'catalog.write',
    async load({ db, lang }) {
      return { props: { favourites: await findFavourites(db, lang) }, head: adminHead(lang, { key: 'pos.favourites' }) }
    },
  },
  {
    url: '/admin/quick-orders/display',
    page: 'pos/customer-display',
    permission: 'pos.sell',
    load: async ({ lang }) => ({ props: {}, head: adminHead(lang, { key: 'pos.display' }) }),
  },
]
