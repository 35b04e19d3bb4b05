import { listHeldOrders } from '#features/orders/status/held-animals.server.ts'
import { listReturnedAnimals } from '#features/orders/status/returned-animals.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const heldAnimalsRoutes: AdminRoute[] = [
  {
    url: '/admin/held-animals',
    page: 'admin/held-animals/held-animals',
    permission: 'orders.read',
    async load({ db, lang, now }) {
      const [orders, returned] = await Promise.all([listHeldOrders(db), listReturnedAnimals(db, lang)])
      return { props: { orders, returned, now: now.toISOString() }, head: adminHead(lang, { key: 'admin.nav.held' }) }
    },
  },
]
