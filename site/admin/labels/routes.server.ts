import { MAX_LABELLED } from '#features/catalog/labels/label-rules.ts'
import { listLabelledProducts } from '#features/catalog/labels/labelled-products.server.ts'
import { idsToPrint } from '#features/orders/printing/printable-order.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

/** Print view of labels for products and animals. */
export const labelsRoutes: AdminRoute[] = [
  {
    url: '/admin/labels',
    page: 'admin/labels/labels',
    permission: 'catalog.read',
    async load({ db, lang, query }) {
      const ids = idsToPrint(query.ids ?? '').slice(0, MAX_LABELLED)
      return { props: { goods: await listLabelledProducts(db, ids) }, head: adminHead(lang, { key: 'labels.title' }) }
    },
  },
]
