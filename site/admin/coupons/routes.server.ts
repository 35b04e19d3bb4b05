import { findCouponRecord, listCoupons, listCouponUses, sumCouponUses } from '#features/pricing/coupons/admin-queries.server.ts'
import { readId } from '#lib/format/id.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import type { CategoryChoice } from './coupon-fields.tsx'

/**
 * The categories that a coupon can be for. The home listing shows what the others have: it is left out where it has no products of its own,
 * because a coupon for it would apply to nothing.
 */
async function categoryChoices({ shopCache, lang }: AdminContext, chosen: readonly number[]): Promise<CategoryChoice[]> {
  const categories = (await shopCache.categories()).filter((one) => one.key !== 'home' || one.has_products || chosen.includes(one.id))
  return categories.map(({ id, name_en, name_bn }) => ({ id, name: lang === 'bn' ? name_bn : name_en }))
}

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
    async load(context) {
      const { lang } = context
      return { props: { coupon: null, categories: await categoryChoices(context, []) }, head: adminHead(lang, { key: 'coupons.new' }) }
    },
  },
  {
    url: '/admin/coupons/:id',
    page: 'admin/coupons/coupon',
    permission: 'coupons.read',
    async load(context) {
      const { db, lang, params, query, now, staff } = context
      const id = readId(params.id)
      const coupon = id === null ? null : await findCouponRecord(db, id, { lang, now })
      if (!coupon) return { refuse: 404 }
      const [categories, sums, page] = await Promise.all([
        categoryChoices(context, coupon.category_ids),
        sumCouponUses(db, coupon.id),
        // Names and phones of customers need the permission for orders.
        staff.can('orders.read') ? listCouponUses(db, coupon.id, parseCursor(query, 1)) : null,
      ])
      return { props: { coupon, categories, sums, page }, head: adminHead(lang, coupon.code) }
    },
  },
]
