import { findPopupRecord, listPopups } from '#features/catalog/popups/queries.server.ts'
import { findSlot, listSlotItems } from '#features/catalog/slots/queries.server.ts'
import { findPolicy, listPolicies } from '#features/catalog/policies/queries.server.ts'
import { POLICY_SLUGS } from '#features/catalog/policies/slugs.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

const rowId = (text: string | undefined) => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : null)

/** What the shop window is made of: slots, popups, the shop's papers. */
export const slotsRoutes: AdminRoute[] = [
  {
    url: '/admin/slots',
    page: 'admin/slots/slots',
    right: 'catalog.read',
    async load({ db, lang }) {
      return { props: { slots: await listSlotItems(db, lang) }, head: adminHead(lang, { key: 'admin.nav.slots' }) }
    },
  },
  {
    url: '/admin/slots/create',
    page: 'admin/slots/slot',
    right: 'catalog.write',
    async load({ lang }) {
      return { props: { slot: null }, head: adminHead(lang, { key: 'slots.new' }) }
    },
  },
  {
    url: '/admin/slots/:id',
    page: 'admin/slots/slot',
    right: 'catalog.read',
    async load({ db, lang, params }) {
      const id = rowId(params.id)
      const slot = id === null ? null : await findSlot(db, id, lang)
      return slot ? { props: { slot }, head: adminHead(lang, lang === 'bn' ? slot.name_bn : slot.name_en) } : { refuse: 404 }
    },
  },
  {
    url: '/admin/popups',
    page: 'admin/popups/popups',
    right: 'catalog.read',
    async load({ db, lang, now }) {
      return { props: { popups: await listPopups(db, now) }, head: adminHead(lang, { key: 'admin.nav.popups' }) }
    },
  },
  {
    url: '/admin/popups/create',
    page: 'admin/popups/popup',
    right: 'catalog.write',
    async load({ lang, now }) {
      return { props: { popup: null, now: now.toISOString() }, head: adminHead(lang, { key: 'popups.new' }) }
    },
  },
  {
    url: '/admin/popups/:id',
    page: 'admin/popups/popup',
    right: 'catalog.read',
    async load({ db, lang, params, now }) {
      const id = rowId(params.id)
      const popup = id === null ? null : await findPopupRecord(db, id, now)
      if (!popup) return { refuse: 404 }
      return { props: { popup, now: now.toISOString() }, head: adminHead(lang, lang === 'bn' ? popup.alt_bn : popup.alt_en) }
    },
  },
  {
    url: '/admin/texts',
    page: 'admin/policies/policies',
    right: 'catalog.read',
    async load({ db, lang }) {
      const policies = (await listPolicies(db)).map(({ body_en: _en, body_bn: _bn, ...policy }) => policy)
      return { props: { policies }, head: adminHead(lang, { key: 'admin.nav.texts' }) }
    },
  },
  {
    url: '/admin/texts/:slug',
    page: 'admin/policies/policy',
    right: 'catalog.read',
    async load({ db, lang, params }) {
      const slug = POLICY_SLUGS.find((one) => one === params.slug)
      if (!slug) return { refuse: 404 }
      return { props: { policy: await findPolicy(db, slug) }, head: adminHead(lang, { key: `texts.${slug}` }) }
    },
  },
]
