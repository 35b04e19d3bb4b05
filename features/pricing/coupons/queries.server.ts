import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { poisha } from '#lib/format/money.ts'
import type { CouponCustomer, CouponTerms } from './rules.ts'

export interface CouponRow {
  id: number
  code: string
  kind: CouponTerms['kind']
  percent_bp: number
  value_poisha: number
  max_discount_poisha: number | null
  scope: CouponTerms['scope']
  product_ids: number[]
  category_ids: number[]
  min_subtotal_poisha: number
  starts_at: Date | null
  ends_at: Date | null
  max_uses: number | null
  max_uses_per_customer: number | null
  first_order_only: boolean
  active: boolean
  uses: number
  version: number
}

/** The columns of a `CouponRow`; `c` is coupons. */
export const couponColumns = sql`c.id, c.code, c.kind, c.percent_bp, c.value_poisha, c.max_discount_poisha, c.scope, c.min_subtotal_poisha, c.starts_at, c.ends_at,
  c.max_uses, c.max_uses_per_customer, c.first_order_only, c.active, c.uses, c.version,
  coalesce((select json_agg(product_id order by product_id) from coupon_products where coupon_id = c.id), '[]') as product_ids,
  coalesce((select json_agg(category_id order by category_id) from coupon_categories where coupon_id = c.id), '[]') as category_ids`

/** The terms of a stored coupon, for the rules. */
export function termsOf(row: CouponRow): CouponTerms {
  return {
    id: row.id,
    code: row.code,
    kind: row.kind,
    percentBp: row.percent_bp,
    value: poisha(row.value_poisha),
    maxDiscount: row.max_discount_poisha === null ? null : poisha(row.max_discount_poisha),
    scope: row.scope,
    productIds: row.product_ids,
    categoryIds: row.category_ids,
    minSubtotal: poisha(row.min_subtotal_poisha),
    startsAt: row.starts_at?.getTime() ?? null,
    endsAt: row.ends_at?.getTime() ?? null,
    maxUses: row.max_uses,
    maxUsesPerCustomer: row.max_uses_per_customer,
    firstOrderOnly: row.first_order_only,
    active: row.active,
    uses: row.uses,
    version: row.version,
  }
}

/** The coupon of a normalized code with the uses of this customer; null when there is none. */
export async function findCoupon(
  db: Db,
  code: string,
  customerId: number,
): Promise<{ terms: CouponTerms; customer: CouponCustomer } | null> {
  const { rows } = await sql<CouponRow & { used: number; has_ordered: boolean }>`
    select ${couponColumns}, (select count(*)::int from coupon_uses where coupon_id = c.id and customer_id = ${customerId} and released_at is null) as used,
      exists (select 1 from orders where customer_id = ${customerId} and status <> 'cancelled') as has_ordered
    from coupons c where c.code = ${code}`.execute(db)
  const row = rows[0]
  return row ? { terms: termsOf(row), customer: { uses: row.used, hasOrdered: row.has_ordered } } : null
}
