import { MOST_LABELLED } from '#features/office/labels/label-rules.ts'
import { listLabelledGoods } from '#features/office/labels/labelled-goods.server.ts'
import { idsToPrint } from '#features/orders/papers.server.ts'
import type { AdminRoute } from './admin-route.server.ts'
import { officeHead } from './office-head.server.ts'

/** Labels for goods and animals. */
export const labelsRoutes: AdminRoute[] = [
  {
    url: '/admin/labels',
    page: 'admin/labels',
    right: 'catalog.read',
    async load({ db, lang, query }) {
      const ids = idsToPrint(query.ids ?? '').slice(0, MOST_LABELLED)
      return { props: { goods: await listLabelledGoods(db, ids) }, head: officeHead(lang, { key: 'labels.title' }) }
    },
  },
]
