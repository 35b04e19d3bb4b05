import { listGatewayMoney } from '#features/orders/payments/gateway-payments.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const paymentsRoutes: AdminRoute[] = [
  {
    url: '/admin/payments',
    page: 'admin/payments/payments',
    permission: 'orders.read',
    async load({ db, lang, now }) {
      return { props: await listGatewayMoney(db, now), head: adminHead(lang, { key: 'admin.nav.payments' }) }
    },
  },
]
