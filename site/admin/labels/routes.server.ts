import { MOST_LABELLED } from '#features/catalog/labels/label-rules.ts'
import { listLabelledGoods } from '#features/catalog/labels/labelled-products.server.ts'
import { idsToPrint } from '#features/orders/printing/printable-order.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { officeHead } from '../admin-head.server.ts'

/** Labels for goods and animals. */
export const labelsRoutes: AdminRoute[] = [
  {
    url: '/admin/labels',
    page: 'admin/labels/labels',
    right: 'catalog.read',
    async load({ db, lang, query }) {
      const ids = idsToPrint(query.ids ?? '').slice(0, MOST_LABELLED)
      return { props: { goods: await listLabelledGoods(db, ids) }, head: officeHead(lang, { key: 'labels.title' }) }
    },
  },
]
