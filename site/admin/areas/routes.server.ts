import { findAreaRecord, listAreaRecords } from '#features/catalog/areas/queries.server.ts'
import { readShortId } from '#lib/format/id.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const areasRoutes: AdminRoute[] = [
  {
    url: '/admin/areas',
    page: 'admin/areas/areas',
    permission: 'catalog.read',
    async load({ db, lang }) {
      return { props: { areas: await listAreaRecords(db) }, head: adminHead(lang, { key: 'admin.nav.areas' }) }
    },
  },
  {
    url: '/admin/areas/create',
    page: 'admin/areas/area',
    permission: 'catalog.write',
    async load({ lang }) {
      return { props: { area: null }, head: adminHead(lang, { key: 'areas.new' }) }
    },
  },
  {
    url: '/admin/areas/:id',
    page: 'admin/areas/area',
    permission: 'catalog.read',
    async load({ db, lang, params }) {
      const id = readShortId(params.id)
      const area = id === null ? null : await findAreaRecord(db, id)
      if (!area) return { refuse: 404 }
      return { props: { area }, head: adminHead(lang, lang === 'bn' ? area.name_bn : area.name_en) }
    },
  },
]
