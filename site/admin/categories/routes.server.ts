import { findCategory } from '#features/catalog/categories/queries.server.ts'
import { readShortId } from '#lib/format/id.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const categoriesRoutes: AdminRoute[] = [
  {
    url: '/admin/categories',
    page: 'admin/categories/categories',
    permission: 'catalog.read',
    async load({ lang }) {
      return { props: {}, head: adminHead(lang, { key: 'admin.nav.categories' }) }
    },
  },
  {
    url: '/admin/category/create',
    page: 'admin/categories/category',
    permission: 'catalog.write',
    async load({ lang }) {
      return { props: { category: null }, head: adminHead(lang, { key: 'categories.new' }) }
    },
  },
  {
    url: '/admin/category/:id/edit',
    page: 'admin/categories/category',
    permission: 'catalog.read',
    async load({ db, lang, params }) {
      const id = readShortId(params.id)
      const category = id === null ? null : await findCategory(db, id)
      if (!category) return { refuse: 404 }
      return { props: { category }, head: adminHead(lang, lang === 'bn' ? category.name_bn : category.name_en) }
    },
  },
]
