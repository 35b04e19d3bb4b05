import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Result, ok, refused } from '#lib/result.ts'
import type { CouponForm } from './forms.ts'

export type CouponWriteError = 'code-taken' | 'unknown-product' | 'unknown-category' | 'limit-below-uses' | 'not-found' | 'changed'

/** Creates a coupon from a validated form; the value is its id. Without an actor (seed data) no audit entry is written. */
export function createCoupon(db: Db, actor: Actor | null, form: CouponForm): Promise<Result<number, CouponWriteError>> {
  return mapConstraintErrors(() =>
    inTransaction(db, async (tx) => {
      const row = await tx.insertInto('coupons').values(toColumns(form)).returning('id').executeTakeFirstOrThrow()
      const { id } = row
      await writeScope(tx, id, form)
      if (actor) await audit(tx, actor, { action: 'created', subject: 'coupon', id, after: await stateOf(tx, id) })
      return ok(id)
    }),
  )
}

/**
 * Updates a coupon if it still has this version; the value is the new version. Placed orders keep their discount. A limit below the
 * number of uses is `limit-below-uses`.
 */
export function updateCoupon(
  db: Db,
  actor: Actor,
  id: number,
  version: number,
  form: CouponForm,
): Promise<Result<number, CouponWriteError>> {
  return mapConstraintErrors(() =>
    inTransaction(db, async (tx) => {
      const reason = await lockVersion(tx, id, version)
      if (reason) return refused(reason)
      const before = await stateOf(tx, id)
      await tx
        .updateTable('coupons')
        .set({ ...toColumns(form), version: version + 1 })
        .where('id', '=', id)
        .execute()
      await tx.deleteFrom('coupon_products').where('coupon_id', '=', id).execute()
      await tx.deleteFrom('coupon_categories').where('coupon_id', '=', id).execute()
      await writeScope(tx, id, form)
      await audit(tx, actor, { action: 'changed', subject: 'coupon', id, before, after: await stateOf(tx, id) })
      return ok(version + 1)
    }),
  )
}

/** Deactivates a coupon: its code is unknown from then on. Placed orders keep their discount. */
export function stopCoupon(db: Db, actor: Actor, id: number, version: number): Promise<Result<number, CouponWriteError>> {
  return inTransaction(db, async (tx) => {
    const reason = await lockVersion(tx, id, version)
    if (reason) return refused(reason)
    await tx
      .updateTable('coupons')
      .set({ active: false, version: version + 1 })
      .where('id', '=', id)
      .execute()
    await audit(tx, actor, { action: 'disabled', subject: 'coupon', id, before: { active: true }, after: { active: false } })
    return ok(version + 1)
  })
}

/** Locks the coupon and compares its version; null when it matches. */
async function lockVersion(tx: Db, id: number, version: number): Promise<'not-found' | 'changed' | null> {
  const coupon = await tx.selectFrom('coupons').select('version').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!coupon) return 'not-found'
  return coupon.version === version ? null : 'changed'
}

/** The coupon as the audit log stores it. */
async function stateOf(tx: Db, id: number): Promise<object> {
  const { rows } =
    await sql<object>`select code, kind, percent_bp, value_poisha, max_discount_poisha, scope, min_subtotal_poisha, starts_at, ends_at,
    max_uses, max_uses_per_customer, first_order_only, active, note,
    array(select product_id from coupon_products where coupon_id = c.id order by product_id) as products,
    array(select category_id from coupon_categories where coupon_id = c.id order by category_id) as categories
    from coupons c where id = ${id}`.execute(tx)
  return rows[0]!
}

function toColumns(form: CouponForm) {
  return {
    code: form.code,
    kind: form.kind,
    percent_bp: form.kind === 'percentage' ? form.percent : 0,
    value_poisha: form.kind === 'percentage' ? 0 : form.value,
    max_discount_poisha: form.kind === 'percentage' ? form.max_discount : null,
    scope: form.scope,
    min_subtotal_poisha: form.min_subtotal,
    starts_at: form.starts_at,
    ends_at: form.ends_at,
    max_uses: form.max_uses,
    max_uses_per_customer: form.max_uses_per_customer,
    first_order_only: form.first_order_only,
    active: form.active,
    note: form.note,
  }
}

/** Stores the products or categories of the scope; the list that the scope does not use is ignored. */
async function writeScope(tx: Db, id: number, form: CouponForm): Promise<void> {
  const products = form.scope === 'products' ? [...new Set(form.product_ids)] : []
  if (products.length > 0) {
    const rows = products.map((product_id) => ({ coupon_id: id, product_id }))
    await tx.insertInto('coupon_products').values(rows).execute()
  }
  const categories = form.scope === 'categories' ? [...new Set(form.category_ids)] : []
  if (categories.length > 0) {
    const rows = categories.map((category_id) => ({ coupon_id: id, category_id }))
    await tx.insertInto('coupon_categories').values(rows).execute()
  }
}

const REASON_OF_CONSTRAINT: Record<string, CouponWriteError> = {
  coupons_code_key: 'code-taken',
  coupon_products_product_id_fkey: 'unknown-product',
  coupon_categories_category_id_fkey: 'unknown-category',
  uses_within_the_limit: 'limit-below-uses',
}

/** Maps violations of these constraints to results. */
async function mapConstraintErrors<T>(write: () => Promise<Result<T, CouponWriteError>>): Promise<Result<T, CouponWriteError>> {
  try {
    return await write()
  } catch (error) {
    const reason = REASON_OF_CONSTRAINT[constraintOf(error) ?? '']
    if (reason === undefined) throw error
    return refused(reason)
  }
}
