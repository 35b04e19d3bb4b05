import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { wholeOrder } from '../sort-order-form.ts'
import type { CategoryForm } from './forms.ts'
import { type CategoryRecord, findCategory } from './queries.server.ts'
import { slugFor } from './slug-rules.ts'

export type CategoryError = 'missing' | 'stale' | 'name-taken' | 'protected-group'
export type CategoryChange = { ok: true; category: CategoryRecord } | { ok: false; reason: CategoryError }

/** Adds a category at the end of the list. */
export function addCategory(db: Db, actor: Actor, form: CategoryForm): Promise<CategoryChange> {
  return inSequence(db, async (tx) => {
    if (await isNameTaken(tx, form.name_en, null)) return { ok: false, reason: 'name-taken' }
    const slugs = new Set((await tx.selectFrom('categories').select('slug').execute()).map(({ slug }) => slug))
    const slug = slugFor(form.name_en, (one) => slugs.has(one))
    const { last } = await tx
      .selectFrom('categories')
      .select((eb) => eb.fn.max<number | null>('priority').as('last'))
      .executeTakeFirstOrThrow()
    const { id } = await tx
      .insertInto('categories')
      .values({ ...form, slug, priority: (last ?? 0) + 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const category = (await findCategory(tx, id))!
    await audit(tx, actor, { action: 'created', subject: 'category', id: category.id, after: category })
    return { ok: true, category }
  })
}

/** Updates a category if it still has this version. A protected one keeps its delivery group: its page and rates depend on it. */
export function changeCategory(db: Db, actor: Actor, id: number, version: number, form: CategoryForm): Promise<CategoryChange> {
  return inSequence(db, async (tx) => {
    const before = await findCategory(tx, id)
    if (!before) return { ok: false, reason: 'missing' }
    if (before.is_protected && form.delivery_group !== before.delivery_group) return { ok: false, reason: 'protected-group' }
    if (await isNameTaken(tx, form.name_en, id)) return { ok: false, reason: 'name-taken' }
    const updated = await updateVersioned(tx, 'categories', id, version, form)
    if (!updated.ok) return updated
    const category = (await findCategory(tx, id))!
    await audit(tx, actor, { action: 'changed', subject: 'category', id, before, after: category })
    return { ok: true, category }
  })
}

export type CategoryDeletion = 'deleted' | 'missing' | 'protected' | 'has-products'

/** Deletes a category and renumbers the list. A protected category and one with products, visible or not, cannot be deleted [C6]. */
export function deleteCategory(db: Db, actor: Actor, id: number): Promise<CategoryDeletion> {
  return inSequence(db, async (tx) => {
    // The lock blocks concurrent inserts of products into the category.
    const category = await tx.selectFrom('categories').select('key').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!category) return 'missing'
    if (category.key !== null) return 'protected'
    if (await hasProducts(tx, id)) return 'has-products'
    const before = await findCategory(tx, id)
    await tx.deleteFrom('categories').where('id', '=', id).execute()
    await writeOrder(tx, await idsInOrder(tx))
    await audit(tx, actor, { action: 'deleted', subject: 'category', id, before })
    return 'deleted'
  })
}

/** Reorders all categories. False, without a change, when the input does not have each category once with priorities 1 to n. */
export function reorderCategories(db: Db, actor: Actor, input: { id: number; priority: number }[]): Promise<boolean> {
  return inSequence(db, async (tx) => {
    const before = await idsInOrder(tx)
    const ids = wholeOrder(before, input)
    if (!ids) return false
    if (ids.join() === before.join()) return true
    await writeOrder(tx, ids)
    await audit(tx, actor, { action: 'reordered', subject: 'category', id: '', before: { order: before }, after: { order: ids } })
    return true
  })
}

/** Runs changes of the list one after another, so that priorities stay 1 to n. */
function inSequence<Result>(db: Db, change: (tx: Db) => Promise<Result>): Promise<Result> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('categories'))`.execute(tx)
    return change(tx)
  })
}

async function idsInOrder(tx: Db): Promise<number[]> {
  const rows = await tx.selectFrom('categories').select('id').orderBy('priority').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

async function writeOrder(tx: Db, ids: number[]): Promise<void> {
  await sql`update categories c set priority = wanted.priority
    from unnest(${ids}::int[]) with ordinality as wanted (id, priority) where c.id = wanted.id and c.priority <> wanted.priority`.execute(
    tx,
  )
}

async function hasProducts(tx: Db, id: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select 1 from products where category_id = ${id})
    or exists (select 1 from product_categories where category_id = ${id}) as found`.execute(tx)
  return rows[0]!.found
}

async function isNameTaken(tx: Db, name: string, but: number | null): Promise<boolean> {
  const { rows } = await sql`select 1 from categories where lower(name_en) = lower(${name}) and id is distinct from ${but}`.execute(tx)
  return rows.length > 0
}
