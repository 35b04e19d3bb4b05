import { listCategories } from '#features/catalog/categories/queries.server.ts'
import { findCouponRecord, listCoupons, listCouponUses, sumCouponUses } from '#features/pricing/coupons/admin-queries.server.ts'
import { readId } from '#lib/format/id.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import type { AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const couponsRoutes: AdminRoute[] = [
  {
    url: '/admin/coupons',
    page: 'admin/coupons/coupons',
    permission: 'coupons.read',
    async load({ db, lang, query, now }) {
      return { props: { page: await listCoupons(db, parseCursor(query, 1), now) }, head: adminHead(lang, { key: 'admin.nav.coupons' }) }
    },
  },
  {
    url: '/admin/coupons/create',
    page: 'admin/coupons/coupon',
    permission: 'catalog.write',
    async load({ db, lang }) {
      return { props: { coupon: null, categories: await listCategories(db, lang) }, head: adminHead(lang, { key: 'coupons.new' }) }
    },
  },
  {
    url: '/admin/coupons/:id',
    page: 'admin/coupons/coupon',
    permission: 'coupons.read',
    async load({ db, lang, params, query, now, staff }) {
      const id = readId(params.id)
      const coupon = id === null ? null : await findCouponRecord(db, id, { lang, now })
      if (!coupon) return { refuse: 404 }
      const [categories, sums, page] = await Promise.all([
        listCategories(db, lang),
        sumCouponUses(db, coupon.id),
        // Names and phones of customers need the permission for orders.
        staff.can('orders.read') ? listCouponUses(db, coupon.id, parseCursor(query, 1)) : null,
      ])
      return { props: { coupon, categories, sums, page }, head: adminHead(lang, coupon.code) }
    },
  },
]
