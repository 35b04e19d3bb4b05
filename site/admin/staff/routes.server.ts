import { listStaff } from '#features/auth/staff/queries.server.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const staffRoutes: AdminRoute[] = [
  {
    url: '/admin/staff',
    page: 'admin/staff/staff',
    permission: 'staff.read',
    async load({ db, lang, staff }) {
      return { props: { staff: await listStaff(db), me: staff.id }, head: adminHead(lang, { key: 'admin.nav.staff' }) }
    },
  },
]
