import { listRatedCategories, listRateTables, NO_RATES, readRates } from '#features/cattle/rates/queries.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const ratesRoutes: AdminRoute[] = [
  {
    url: '/admin/rates',
    page: 'admin/rates/rates',
    right: 'catalog.read',
    async load({ db, lang, facts }) {
      const { kurbani } = await facts.settings()
      return {
        props: { tables: await listRateTables(db, kurbani.season, lang), kurbani },
        head: adminHead(lang, { key: 'admin.nav.rates' }),
      }
    },
  },
  {
    url: '/admin/rates/edit',
    page: 'admin/rates/rate',
    right: 'catalog.write',
    async load({ db, lang, query }) {
      const categories = await listRatedCategories(db, lang)
      const isOld = query.category !== undefined
      const category = isOld ? categories.find(({ id }) => String(id) === query.category) : categories[0]
      if (!category) return { refuse: 404 }
      const season = isOld ? (query.season ?? '') : ''
      const { tiers, seen } = isOld ? await readRates(db, category.id, season) : { tiers: [], seen: NO_RATES }
      if (isOld && tiers.length === 0) return { refuse: 404 }
      const typed = tiers.map(({ fromGrams, poishaPerKg }) => ({ from_kg: String(fromGrams / 1000), per_kg: String(poishaPerKg / 100) }))
      return {
        props: { categories, table: isOld ? { category_id: category.id, season, tiers: typed } : null, seen },
        head: adminHead(lang, { key: 'admin.nav.rates' }),
      }
    },
  },
]
