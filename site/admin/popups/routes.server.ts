import { findPopupRecord, listPopups } from '#features/catalog/popups/queries.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { readShortId } from '#lib/format/id.ts'
import { adminHead } from '../admin-head.server.ts'

export const popupsRoutes: AdminRoute[] = [
  {
    url: '/admin/popups',
    page: 'admin/popups/popups',
    permission: 'catalog.read',
    async load({ db, lang, query, now }) {
      return { props: { page: await listPopups(db, now, parseCursor(query, 1)) }, head: adminHead(lang, { key: 'admin.nav.popups' }) }
    },
  },
  {
    url: '/admin/popups/create',
    page: 'admin/popups/popup',
    permission: 'catalog.write',
    async load({ lang, now }) {
      return { props: { popup: null, now: now.toISOString() }, head: adminHead(lang, { key: 'popups.new' }) }
    },
  },
  {
    url: '/admin/popups/:id',
    page: 'admin/popups/popup',
    permission: 'catalog.read',
    async load({ db, lang, params, now }) {
      const id = readShortId(params.id)
      const popup = id === null ? null : await findPopupRecord(db, id, now)
      if (!popup) return { refuse: 404 }
      return { props: { popup, now: now.toISOString() }, head: adminHead(lang, lang === 'bn' ? popup.alt_bn : popup.alt_en) }
    },
  },
]
