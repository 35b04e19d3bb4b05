import { useState } from 'react'
import type { AreaJson } from '#features/catalog/types.ts'
import { call } from '#page/api-client.ts'
import type { PostResult } from '../ui/admin-post.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { type Form, takeCharges, takeUsualPrices } from './refused-prices.ts'
import type { CouponState } from './use-order-coupon.ts'

/** The areas of a new order, and what brings the form up to date where the shop has refused its prices or its total. */
export function useOrderTerms(first: AreaJson[]) {
  const { can } = usePermissions()
  const [areas, setAreas] = useState(first)
  async function takeTerms(form: Form, coupon: CouponState, saved: PostResult<unknown>): Promise<void> {
    await takeUsualPrices(form, saved, can('orders.price'))
    if (saved.ok || !saved.errors.shown_total) return
    coupon.refresh()
    const [answer] = await Promise.all([call<AreaJson[]>('/api/areas?active=true'), takeCharges(form)])
    if (answer.ok) setAreas(answer.body)
  }
  return { areas, takeTerms }
}
