import { listRatedCategories, listRateTables, EMPTY_RATES_HASH, readRates } from '#features/cattle/rates/queries.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const ratesRoutes: AdminRoute[] = [
  {
    url: '/admin/rates',
    page: 'admin/rates/rates',
    permission: 'catalog.read',
    async load({ db, lang, shopCache }) {
      const { kurbani } = await shopCache.settings()
      return {
        props: { tables: await listRateTables(db, kurbani.season, lang), kurbani },
        head: adminHead(lang, { key: 'admin.nav.rates' }),
      }
    },
  },
  {
    url: '/admin/rates/edit',
    page: 'admin/rates/rate',
    permission: 'catalog.write',
    async load({ db, lang, query, shopCache }) {
      const { kurbani } = await shopCache.settings()
      const categories = await listRatedCategories(db, kurbani.season, lang)
      const isOld = query.category !== undefined
      const category = isOld ? categories.find(({ id }) => String(id) === query.category) : categories[0]
      if (!category) return { refuse: 404 }
      const season = isOld ? (query.season ?? '') : ''
      const { tiers, hash } = isOld ? await readRates(db, category.id, season) : { tiers: [], hash: EMPTY_RATES_HASH }
      if (isOld && tiers.length === 0) return { refuse: 404 }
      const typed = tiers.map(({ fromGrams, poishaPerKg }) => ({ from_kg: String(fromGrams / 1000), per_kg: String(poishaPerKg / 100) }))
      return {
        props: { categories, table: isOld ? { category_id: category.id, season, tiers: typed } : null, ratesHash: hash },
        head: adminHead(lang, { key: 'admin.nav.rates' }),
      }
    },
  },
]
