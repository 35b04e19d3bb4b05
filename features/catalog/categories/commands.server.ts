import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { wholeOrder } from '../sort-order-form.ts'
import type { CategoryForm } from './forms.ts'
import { type CategoryRecord, findCategory } from './queries.server.ts'
import { slugFor } from './slug-rules.ts'

export type CategoryRefusal = 'missing' | 'stale' | 'name-taken' | 'protected-group'
export type CategoryChange = { ok: true; category: CategoryRecord } | { ok: false; reason: CategoryRefusal }

/** Adds a category at the end of the list. */
export function addCategory(db: Db, who: Actor, form: CategoryForm): Promise<CategoryChange> {
  return oneByOne(db, async (tx) => {
    if (await isNameTaken(tx, form.name_en, null)) return { ok: false, reason: 'name-taken' }
    const slugs = new Set((await sql<{ slug: string }>`select slug from categories`.execute(tx)).rows.map(({ slug }) => slug))
    const { rows } = await sql<{ id: number }>`
      insert into categories (slug, name_en, name_bn, description, delivery_group, cod_allowed, final_weighing_days, priority)
      values (${slugFor(form.name_en, (slug) => slugs.has(slug))}, ${form.name_en}, ${form.name_bn}, ${form.description}, ${form.delivery_group},
        ${form.cod_allowed}, ${form.final_weighing_days}, (select coalesce(max(priority), 0) + 1 from categories)) returning id`.execute(tx)
    const category = (await findCategory(tx, rows[0]!.id))!
    await audit(tx, who, { action: 'created', subject: 'category', id: category.id, after: category })
    return { ok: true, category }
  })
}

/** Changes a category, unless another change came first. A protected one keeps its delivery group: its page and rates depend on it. */
export function changeCategory(db: Db, who: Actor, id: number, version: number, form: CategoryForm): Promise<CategoryChange> {
  return oneByOne(db, async (tx) => {
    const before = await findCategory(tx, id)
    if (!before) return { ok: false, reason: 'missing' }
    if (before.is_protected && form.delivery_group !== before.delivery_group) return { ok: false, reason: 'protected-group' }
    if (await isNameTaken(tx, form.name_en, id)) return { ok: false, reason: 'name-taken' }
    const updated = await updateVersioned(tx, 'categories', id, version, form)
    if (!updated.ok) return updated
    const category = (await findCategory(tx, id))!
    await audit(tx, who, { action: 'changed', subject: 'category', id, before, after: category })
    return { ok: true, category }
  })
}

export type CategoryDeletion = 'deleted' | 'missing' | 'protected' | 'has-products'

/** Takes a category away and closes the gap in the list; a protected one stays, and so does one that has products, shown or not [C6]. */
export function deleteCategory(db: Db, who: Actor, id: number): Promise<CategoryDeletion> {
  return oneByOne(db, async (tx) => {
    // Locked against products that would come in meanwhile.
    const { rows } = await sql<{
      is_protected: boolean
    }>`select key is not null as is_protected from categories where id = ${id} for update`.execute(tx)
    if (!rows[0]) return 'missing'
    if (rows[0].is_protected) return 'protected'
    if (await hasProducts(tx, id)) return 'has-products'
    const before = await findCategory(tx, id)
    await sql`delete from categories where id = ${id}`.execute(tx)
    await writeOrder(tx, await idsInOrder(tx))
    await audit(tx, who, { action: 'deleted', subject: 'category', id, before })
    return 'deleted'
  })
}

/** Puts all categories in the order given; false, and nothing changed, when it does not name each of them once at a place from 1 to n. */
export function reorderCategories(db: Db, who: Actor, wanted: { id: number; priority: number }[]): Promise<boolean> {
  return oneByOne(db, async (tx) => {
    const before = await idsInOrder(tx)
    const ids = wholeOrder(before, wanted)
    if (!ids) return false
    if (ids.join() === before.join()) return true
    await writeOrder(tx, ids)
    await audit(tx, who, { action: 'reordered', subject: 'category', id: '', before: { order: before }, after: { order: ids } })
    return true
  })
}

/** What adds, takes away or moves in the list goes one after the other, so that places stay 1 to n. */
function oneByOne<Result>(db: Db, change: (tx: Db) => Promise<Result>): Promise<Result> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('categories'))`.execute(tx)
    return change(tx)
  })
}

async function idsInOrder(tx: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from categories order by priority, id`.execute(tx)
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
