import { findByKey } from '#features/catalog/category-keys.ts'
import { proposedSeason } from '#features/settings/season-rules.ts'
import { SETTINGS_PARTS } from '#features/settings/sections.ts'
import { listFinalWeighings, readPart } from '#features/settings/queries.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const settingsRoutes: AdminRoute[] = [
  {
    url: '/admin/settings',
    page: 'admin/settings/settings',
    permission: 'settings.read',
    async load({ db, shopCache, lang, query, sendsEmail, now: at }) {
      const part = SETTINGS_PARTS.find((known) => known === query.part) ?? 'shop'
      const [now, weighings, categories] = await Promise.all([
        readPart(db, part),
        part === 'animals' ? listFinalWeighings(db) : [],
        shopCache.categories(),
      ])
      const season = now.values.kurbani
      const proposed = season ? proposedSeason(dhakaDate(at), season.deliveryTo) : null
      return {
        props: { part, now, weighings, kurbaniId: findByKey(categories, 'kurbani')?.id ?? null, proposed, emailConfigured: sendsEmail },
        head: adminHead(lang, { key: 'admin.nav.settings' }),
      }
    },
  },
]
