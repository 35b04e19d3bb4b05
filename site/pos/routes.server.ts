import { findFavourites, listFavouriteTiles } from '#features/pos/favourites.server.ts'
import { readPosTerms } from '#features/pos/pos-terms.server.ts'
import { listRegisters } from '#features/pos/registers.server.ts'
import { reportScope } from '#features/pos/report-scope-rules.ts'
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
      const [terms, shift, settings, favourites] = await Promise.all([
        readPosTerms({ db, shopCache }, lang, now),
        findOpenShift(db, staff.id),
        shopCache.settings(),
        listFavouriteTiles(db, lang),
      ])
      const registers = shift ? [] : await listRegisters(db, reportScope(staff, settings))
      const props = {
        ...terms,
        scales: settings.scale_labels,
        favourites,
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
