import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Result, ok, refused } from '#lib/result.ts'
import type { CouponForm } from './forms.ts'

export type CouponWriteRefusal = 'code-taken' | 'unknown-product' | 'unknown-category' | 'limit-below-uses' | 'not-found' | 'changed'

/** Makes a coupon of a checked form; answers its id. `who` null: the shop itself, which is not written down. */
export function createCoupon(db: Db, who: Actor | null, form: CouponForm): Promise<Result<number, CouponWriteRefusal>> {
  return refusing(() =>
    inTransaction(db, async (tx) => {
      const row = await tx.insertInto('coupons').values(toColumns(form)).returning('id').executeTakeFirstOrThrow()
      const id = row.id as number
      await writeScope(tx, id, form)
      if (who) await audit(tx, who, { action: 'created', subject: 'coupon', id, after: await stateOf(tx, id) })
      return ok(id)
    }),
  )
}

/**
 * Changes a coupon to what the form says; `version` is the one the person had before their eyes. Orders placed keep what they were
 * given; a limit below the uses that count already is refused.
 */
export function updateCoupon(
  db: Db,
  who: Actor,
  id: number,
  version: number,
  form: CouponForm,
): Promise<Result<number, CouponWriteRefusal>> {
  return refusing(() =>
    inTransaction(db, async (tx) => {
      const reason = await whyNot(tx, id, version)
      if (reason) return refused(reason)
      const before = await stateOf(tx, id)
      await tx
        .updateTable('coupons')
        .set({ ...toColumns(form), version: version + 1 })
        .where('id', '=', id)
        .execute()
      await sql`delete from coupon_products where coupon_id = ${id}`.execute(tx)
      await sql`delete from coupon_categories where coupon_id = ${id}`.execute(tx)
      await writeScope(tx, id, form)
      await audit(tx, who, { action: 'changed', subject: 'coupon', id, before, after: await stateOf(tx, id) })
      return ok(version + 1)
    }),
  )
}

/** Switches a coupon off: from now on its code is not known. Orders placed keep what they were given. */
export function stopCoupon(db: Db, who: Actor, id: number, version: number): Promise<Result<number, CouponWriteRefusal>> {
  return inTransaction(db, async (tx) => {
    const reason = await whyNot(tx, id, version)
    if (reason) return refused(reason)
    await sql`update coupons set active = false, version = version + 1 where id = ${id}`.execute(tx)
    await audit(tx, who, { action: 'disabled', subject: 'coupon', id, before: { active: true }, after: { active: false } })
    return ok(version + 1)
  })
}

/** Locks the coupon; null when it is still the version that the person saw. */
async function whyNot(tx: Db, id: number, version: number): Promise<'not-found' | 'changed' | null> {
  const { rows } = await sql<{ version: number }>`select version from coupons where id = ${id} for update`.execute(tx)
  if (!rows[0]) return 'not-found'
  return rows[0].version === version ? null : 'changed'
}

/** The coupon's terms as the log keeps them. */
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

/** What the coupon speaks of; a list that its scope does not use is dropped. */
async function writeScope(tx: Db, id: number, form: CouponForm): Promise<void> {
  if (form.scope === 'products')
    await sql`insert into coupon_products (coupon_id, product_id) select distinct ${id}::bigint, unnest(${form.product_ids}::bigint[])`.execute(
      tx,
    )
  if (form.scope === 'categories')
    await sql`insert into coupon_categories (coupon_id, category_id) select distinct ${id}::bigint, unnest(${form.category_ids}::int[])`.execute(
      tx,
    )
}

const REFUSED_BY: Record<string, CouponWriteRefusal> = {
  coupons_code_key: 'code-taken',
  coupon_products_product_id_fkey: 'unknown-product',
  coupon_categories_category_id_fkey: 'unknown-category',
  uses_within_the_limit: 'limit-below-uses',
}

/** What the database refuses by a constraint of everyday life, as a value. */
async function refusing<T>(write: () => Promise<Result<T, CouponWriteRefusal>>): Promise<Result<T, CouponWriteRefusal>> {
  try {
    return await write()
  } catch (error) {
    const reason = REFUSED_BY[constraintOf(error) ?? '']
    if (reason === undefined) throw error
    return refused(reason)
  }
}
