import { sql } from 'kysely'
import { type ListedProduct, listedProductColumns } from '#features/catalog/listed-products.server.ts'
import { IS_LIVE } from '#features/orders/status-conditions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetPage, keysetPage, type KeysetCursor } from '#lib/db/keyset.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { dhakaMoment } from '#lib/format/time.ts'
import { couponColumns, type CouponRow, termsOf } from './queries.server.ts'
import type { CouponTerms } from './rules.ts'
import { type CouponState, couponState } from './state-rules.ts'

/** A coupon in the admin form: percent, taka, local times of Dhaka. */
export interface CouponRecord {
  id: number
  code: string
  kind: CouponTerms['kind']
  percent: number
  value: number
  max_discount: number | null
  scope: CouponTerms['scope']
  category_ids: number[]
  min_subtotal: number
  starts_at: string | null
  ends_at: string | null
  max_uses: number | null
  max_uses_per_customer: number | null
  first_order_only: boolean
  active: boolean
  note: string
  version: number
  /** Uses without those of cancelled orders. */
  uses: number
  state: CouponState
}

type NotedRow = CouponRow & { note: string }

const COUPONS_PER_PAGE = 50
const USES_PER_PAGE = 50

/** One page of all coupons, newest first. */
export async function listCoupons(db: Db, cursor: KeysetCursor, now: Date): Promise<KeysetPage<CouponRecord>> {
  const { beyond, direction } = numericCursor(sql`c.id`, cursor)
  const { rows } = await sql<NotedRow>`select ${couponColumns}, c.note from coupons c where ${beyond}
    order by c.id ${direction} limit ${COUPONS_PER_PAGE + 1}`.execute(db)
  return keysetPage(
    rows.map((row) => recordOf(row, now)),
    cursor,
    COUPONS_PER_PAGE,
    ({ id }) => [id],
  )
}

export async function findCouponRecord(
  db: Db,
  id: number,
  { lang, now }: { lang: Lang; now: Date },
): Promise<(CouponRecord & { products: ListedProduct[] }) | null> {
  const { rows } = await sql<NotedRow>`select ${couponColumns}, c.note from coupons c where c.id = ${id}`.execute(db)
  if (!rows[0]) return null
  const products = await sql<ListedProduct>`select ${listedProductColumns(lang)}
    from coupon_products cp join products p on p.id = cp.product_id where cp.coupon_id = ${id} order by p.id`.execute(db)
  return { ...recordOf(rows[0], now), products: products.rows }
}

function recordOf(row: NotedRow, now: Date): CouponRecord {
  const terms = termsOf(row)
  return {
    id: row.id,
    code: row.code,
    kind: row.kind,
    percent: row.percent_bp / 100,
    value: row.value_poisha / 100,
    max_discount: row.max_discount_poisha === null ? null : row.max_discount_poisha / 100,
    scope: row.scope,
    category_ids: row.category_ids,
    min_subtotal: row.min_subtotal_poisha / 100,
    starts_at: row.starts_at && dhakaMoment(row.starts_at),
    ends_at: row.ends_at && dhakaMoment(row.ends_at),
    max_uses: row.max_uses,
    max_uses_per_customer: row.max_uses_per_customer,
    first_order_only: row.first_order_only,
    active: row.active,
    note: row.note,
    version: row.version,
    uses: row.uses,
    state: couponState(terms, now),
  }
}

/** One use of a coupon; sums in taka. */
export interface CouponUse {
  order_id: number
  customer: string
  phone: string
  at: string
  /** What the coupon took off products and delivery. */
  given: number
  total: number
  status: string
  /** The order was cancelled: the use does not count. */
  freed: boolean
}

/** One page of the orders that used a coupon, newest first. */
export async function listCouponUses(db: Db, couponId: number, cursor: KeysetCursor): Promise<KeysetPage<CouponUse>> {
  const { beyond, direction } = numericCursor(sql`u.order_id`, cursor)
  const { rows } = await sql<Omit<CouponUse, 'at'> & { at: Date }>`
    select u.order_id, o.name as customer, o.phone, u.at, (u.discount_poisha + u.delivery_saved_poisha) / 100.0::float8 as given,
      o.total_poisha / 100.0::float8 as total, o.status, u.released_at is not null as freed
    from coupon_uses u join orders o on o.id = u.order_id where u.coupon_id = ${couponId} and ${beyond}
    order by u.order_id ${direction} limit ${USES_PER_PAGE + 1}`.execute(db)
  const uses = rows.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() }))
  return keysetPage(uses, cursor, USES_PER_PAGE, ({ order_id }) => [order_id])
}

/** Totals over the live orders of a coupon, in taka: what it took off products and delivery, and what the orders brought in as in the reports. */
export interface CouponSums {
  given: number
  orders_total: number
}

/** The totals of a coupon; zeros while it is unused. A reopened order without a use of its own keeps its discount, and counts. */
export async function sumCouponUses(db: Db, couponId: number): Promise<CouponSums> {
  const { rows } = await sql<CouponSums>`
    select coalesce(sum(u.discount_poisha + u.delivery_saved_poisha), 0) / 100.0::float8 as given,
      coalesce(sum(o.spent_poisha), 0) / 100.0::float8 as orders_total
    from coupon_uses u join orders o on o.id = u.order_id where u.coupon_id = ${couponId} and ${IS_LIVE}`.execute(db)
  return rows[0]!
}
