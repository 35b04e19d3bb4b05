import { listOrderEmails } from '#features/email/queries.server.ts'
import { findCustomerName } from '#features/customers/customer-record.server.ts'
import { listAreas } from '#features/catalog/areas/queries.server.ts'
import { listWeighingsOfOrder } from '#features/cattle/settlement/final-weighings.server.ts'
import { readOrderFilter } from '#features/orders/history/list-query-rules.ts'
import { findAdminOrder } from '#features/orders/history/order-details.server.ts'
import { findOtherPurchases, listOrders } from '#features/orders/history/order-list.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const ordersRoutes: AdminRoute[] = [
  {
    url: '/admin/orders',
    page: 'admin/orders/orders',
    permission: 'orders.read',
    readsReplica: true,
    screen: 'orders',
    async load({ db, shopCache, lang, query }) {
      const filter = readOrderFilter(query)
      const [list, areas, customer, other] = await Promise.all([
        listOrders(db, filter, parseCursor(query, 2), lang),
        shopCache.areaNames(),
        filter.userId ? findCustomerName(db, filter.userId) : null,
        findOtherPurchases(db, filter),
      ])
      const props = {
        list,
        query,
        customer,
        other,
        areas: areas.map((area) => ({ id: area.id, area_name: lang === 'bn' ? area.name_bn : area.name_en })),
      }
      return { props, head: adminHead(lang, { key: 'admin.nav.orders' }) }
    },
  },
  {
    url: '/admin/orders/create',
    page: 'admin/orders/order-create',
    permission: 'orders.write',
    async load({ db, lang, query }) {
      const phone = normalizePhone(query.phone ?? '') ?? ''
      return { props: { areas: await listAreas(db, true, lang), phone }, head: adminHead(lang, { key: 'admin-orders.new' }) }
    },
  },
  {
    url: '/admin/orders/update/:id',
    page: 'admin/orders/order-edit',
    permission: 'orders.read',
    async load({ db, lang, params, query, staff }) {
      const id = /^[1-9]\d{0,14}$/.test(params.id ?? '') ? Number(params.id) : 0
      const [order, areas, weighings, emails] = await Promise.all([
        findAdminOrder(db, id, lang, staff.can('orders.reopen')),
        listAreas(db, false, lang),
        listWeighingsOfOrder(db, id),
        listOrderEmails(db, id),
      ])
      if (!order) return { refuse: 404 }
      const title = translate(lang)('admin-orders.title', { id: String(id) })
      return { props: { order, weighings, areas, emails, saved: query.saved === '1' }, head: adminHead(lang, title) }
    },
  },
]
