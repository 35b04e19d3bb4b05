import { sql } from 'kysely'
import { listSoldProductRows } from '#features/catalog/queries.server.ts'
import { categoriesOf } from '#features/pricing/coupons/product-categories.server.ts'
import { couponColumns, type CouponRow, termsOf } from '#features/pricing/coupons/queries.server.ts'
import { couponFor } from '#features/pricing/coupons/rules.ts'
import { sharesAfterEdit } from '#features/pricing/coupons/share-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { poisha, type Poisha, sum, ZERO } from '#lib/format/money.ts'
import { couponDiscountAfterEdit, type OrderedCoupon } from './coupon-edit-rules.ts'
import type { EditableOrder } from './editable-order.server.ts'
import type { AdminLine } from './pricing-rules.ts'

/** The terms of a coupon when an order used it; all null for a use of an earlier version. */
interface UsedTerms {
  used_kind: CouponRow['kind'] | null
  used_percent_bp: number | null
  used_value_poisha: number | null
  used_max_discount_poisha: number | null
  /** The ordered products that the coupon applied to. */
  used_product_ids: number[] | null
}

/** The coupon of an order with the terms that it had then; null without one. A reopened order keeps its discount without a use of its own. */
async function findUsedCoupon(tx: Db, orderId: number): Promise<(CouponRow & Pick<UsedTerms, 'used_product_ids'>) | null> {
  const { rows } = await sql<CouponRow & UsedTerms>`select ${couponColumns}, u.kind as used_kind, u.percent_bp as used_percent_bp,
      u.value_poisha as used_value_poisha, u.max_discount_poisha as used_max_discount_poisha, to_json(u.product_ids) as used_product_ids
    from coupon_uses u join coupons c on c.id = u.coupon_id where u.order_id = ${orderId}`.execute(tx)
  const row = rows[0]
  if (!row || row.used_kind === null) return row ?? null
  const terms = {
    percent_bp: row.used_percent_bp ?? 0,
    value_poisha: row.used_value_poisha ?? 0,
    max_discount_poisha: row.used_max_discount_poisha,
  }
  return { ...row, kind: row.used_kind, ...terms }
}

/** The coupon of an order, for the rule of edits; null without one. `productIds`: the ordered products. */
export async function findOrderedCoupon(tx: Db, orderId: number, productIds: number[]): Promise<OrderedCoupon | null> {
  const used = await findUsedCoupon(tx, orderId)
  if (!used) return null
  const covered = used.used_product_ids
  if (covered) return { coupon: { ...couponFor(termsOf(used), []), appliesToAll: false, productIds: covered }, applicable: covered }
  const products = await listSoldProductRows(tx, productIds, { withHidden: true })
  const applicable = products.filter((row) => row.coupon_applicable).map(({ id }) => id)
  return { coupon: couponFor(termsOf(used), products.map(categoriesOf)), applicable }
}

/** The discount on the whole order after an edit of its lines. One with set prices keeps its discount. */
export async function discountAfterEdit(tx: Db, orderId: number, before: EditableOrder, lines: readonly AdminLine[]): Promise<Poisha> {
  const unchanged = before.orderDiscount
  if (unchanged === 0 || lines.some(({ isPriceSet }) => isPriceSet)) return unchanged
  const ids = before.lines.map(({ productId }) => productId)
  const ordered = await findOrderedCoupon(tx, orderId, ids)
  return ordered ? couponDiscountAfterEdit(ordered, unchanged, before.lines, lines) : unchanged
}

/**
 * The discounts of the edited lines alone, in their order. Lines of an order without any, as of one placed without shares, get none: its
 * discount is shared over all lines.
 */
export async function lineDiscountsAfterEdit(
  tx: Db,
  orderId: number,
  before: EditableOrder,
  { lines, orderDiscount }: { lines: readonly AdminLine[]; orderDiscount: Poisha },
): Promise<Poisha[]> {
  if (before.lines.every(({ discount }) => discount === 0)) return lines.map(() => ZERO)
  const use = await tx.selectFrom('coupon_uses').select('order_id').where('order_id', '=', orderId).executeTakeFirst()
  return sharesAfterEdit(before.lines, lines, { orderDiscount, hasCoupon: use !== undefined })
}

/** The delivery charge without the coupon, and the most that the coupon takes off it. */
export interface UsualCharge {
  charge: Poisha
  saving: Poisha
}

/**
 * What the coupon of an edited order took off: for the products at most as before, with the product discounts that it replaces; for the
 * delivery what the charge is below the usual one.
 */
export function couponUseAfterEdit(
  before: EditableOrder,
  { lines, orderDiscount, shipping, usual }: { lines: readonly AdminLine[]; orderDiscount: Poisha; shipping: Poisha; usual: UsualCharge },
): EditableOrder['couponUse'] {
  const { couponUse } = before
  if (!couponUse) return null
  const ordered = new Set(before.lines.map(({ productId }) => productId))
  const retained = sum(lines.filter(({ productId }) => ordered.has(productId)).map((line) => poisha(line.baseTotal - line.total)))
  const replaced = Math.min(Math.max(0, couponUse.discount - before.orderDiscount), retained)
  return {
    discount: poisha(Math.min(couponUse.discount, orderDiscount + replaced)),
    deliverySaved: poisha(Math.min(usual.saving, Math.max(0, usual.charge - shipping))),
  }
}

/** Writes what the coupon of an edited order took off, where the edit changes it. */
export async function writeCouponUse(tx: Db, orderId: number, before: EditableOrder, { couponUse }: EditableOrder): Promise<void> {
  if (!couponUse || JSON.stringify(couponUse) === JSON.stringify(before.couponUse)) return
  const { discount, deliverySaved } = couponUse
  await tx
    .updateTable('coupon_uses')
    .set({ discount_poisha: discount, delivery_saved_poisha: deliverySaved })
    .where('order_id', '=', orderId)
    .execute()
}

/** Writes the discounts of lines alone that an edit changes. */
export async function writeLineDiscounts(tx: Db, orderId: number, before: EditableOrder, { lines }: EditableOrder): Promise<void> {
  const earlier = new Map(before.lines.map((line) => [line.productId, line.discount]))
  const changed = lines.filter((line) => line.discount !== (earlier.get(line.productId) ?? 0))
  if (changed.length === 0) return
  const rows = JSON.stringify(changed.map(({ productId, discount }) => ({ product_id: productId, discount })))
  await sql`update order_lines l set discount_poisha = n.discount from jsonb_to_recordset(${rows}::jsonb) as n(product_id bigint, discount bigint)
    where l.order_id = ${orderId} and l.product_id = n.product_id`.execute(tx)
}
