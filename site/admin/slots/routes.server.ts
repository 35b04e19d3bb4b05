import { findSlot, listSlotItems } from '#features/catalog/slots/queries.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { readShortId } from '#lib/format/id.ts'
import { adminHead } from '../admin-head.server.ts'

export const slotsRoutes: AdminRoute[] = [
  {
    url: '/admin/slots',
    page: 'admin/slots/slots',
    permission: 'catalog.read',
    async load({ db, lang }) {
      return { props: { slots: await listSlotItems(db, lang) }, head: adminHead(lang, { key: 'admin.nav.slots' }) }
    },
  },
  {
    url: '/admin/slots/create',
    page: 'admin/slots/slot',
    permission: 'catalog.write',
    async load({ lang }) {
      return { props: { slot: null }, head: adminHead(lang, { key: 'slots.new' }) }
    },
  },
  {
    url: '/admin/slots/:id',
    page: 'admin/slots/slot',
    permission: 'catalog.read',
    async load({ db, lang, params }) {
      const id = readShortId(params.id)
      const slot = id === null ? null : await findSlot(db, id, lang)
      return slot ? { props: { slot }, head: adminHead(lang, lang === 'bn' ? slot.name_bn : slot.name_en) } : { refuse: 404 }
    },
  },
]
