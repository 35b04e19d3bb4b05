import { listReviews } from '#features/reviews/queries.server.ts'
import { REVIEW_STATES } from '#features/reviews/rules.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const reviewsRoutes: AdminRoute[] = [
  {
    url: '/admin/reviews',
    page: 'admin/reviews/reviews',
    permission: 'catalog.read',
    readsReplica: true,
    async load({ db, lang, query }) {
      // The work is what waits; `all` lists the others too.
      const state = query.state === 'all' ? undefined : (REVIEW_STATES.find((one) => one === query.state) ?? 'waiting')
      const page = await listReviews(db, state, parseCursor(query, 1))
      return { props: { page, state: state ?? null }, head: adminHead(lang, { key: 'admin.nav.reviews' }) }
    },
  },
]
