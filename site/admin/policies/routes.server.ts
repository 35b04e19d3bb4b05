import { findPolicy, listPolicies } from '#features/catalog/policies/queries.server.ts'
import { TEXT_SLUGS } from '#features/catalog/policies/slugs.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const policiesRoutes: AdminRoute[] = [
  {
    url: '/admin/texts',
    page: 'admin/policies/policies',
    permission: 'catalog.read',
    async load({ db, lang }) {
      const policies = (await listPolicies(db)).map(({ body_en: _en, body_bn: _bn, ...policy }) => policy)
      return { props: { policies }, head: adminHead(lang, { key: 'admin.nav.texts' }) }
    },
  },
  {
    url: '/admin/texts/:slug',
    page: 'admin/policies/policy',
    permission: 'catalog.read',
    async load({ db, lang, params }) {
      const slug = TEXT_SLUGS.find((one) => one === params.slug)
      if (!slug) return { refuse: 404 }
      return { props: { policy: await findPolicy(db, slug) }, head: adminHead(lang, { key: `texts.${slug}` }) }
    },
  },
]
