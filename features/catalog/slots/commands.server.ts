import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { wholeOrder } from '../sort-order-form.ts'
import type { SlotForm } from './forms.ts'

export type SlotChange = { ok: true; id: number } | { ok: false; reason: 'missing' | 'stale' | 'unknown-product' }

/** Adds a slot at the end of the home page. */
export function addSlot(db: Db, who: Actor, form: SlotForm): Promise<SlotChange> {
  return oneByOne(db, async (tx) => {
    if (!(await areProducts(tx, form.product_ids))) return { ok: false, reason: 'unknown-product' }
    const { rows } = await sql<{ id: number }>`insert into slots (name_en, name_bn, active, position)
      values (${form.name_en}, ${form.name_bn}, ${form.active}, (select coalesce(max(position), 0) + 1 from slots)) returning id`.execute(
      tx,
    )
    const { id } = rows[0]!
    await writeProducts(tx, id, form.product_ids)
    await audit(tx, who, { action: 'created', subject: 'slot', id, after: await stateOf(tx, id) })
    return { ok: true, id }
  })
}

/** Changes a slot and what stands on it, unless somebody else was quicker. */
export function changeSlot(db: Db, who: Actor, id: number, version: number, form: SlotForm): Promise<SlotChange> {
  return inTransaction(db, async (tx): Promise<SlotChange> => {
    const before = await stateOf(tx, id)
    const { product_ids, ...fields } = form
    if (!(await areProducts(tx, product_ids))) return { ok: false, reason: 'unknown-product' }
    const updated = await updateVersioned(tx, 'slots', id, version, fields)
    if (!updated.ok) return updated
    await writeProducts(tx, id, product_ids)
    await audit(tx, who, { action: 'changed', subject: 'slot', id, before, after: await stateOf(tx, id) })
    return { ok: true, id }
  })
}

/** Takes a slot off the home page for good; its products stay. False when it is not there. */
export function deleteSlot(db: Db, who: Actor, id: number): Promise<boolean> {
  return oneByOne(db, async (tx) => {
    const before = await stateOf(tx, id)
    if (!before) return false
    const { numDeletedRows } = await tx.deleteFrom('slots').where('id', '=', id).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await audit(tx, who, { action: 'deleted', subject: 'slot', id, before })
    return true
  })
}

/** Puts all slots in the order given; false when it does not name each of them once at a place from 1 to n. */
export function reorderSlots(db: Db, who: Actor, wanted: { id: number; priority: number }[]): Promise<boolean> {
  return oneByOne(db, async (tx) => {
    const { rows } = await sql<{ id: number }>`select id from slots order by position, id`.execute(tx)
    const before = rows.map(({ id }) => id)
    const ids = wholeOrder(before, wanted)
    if (!ids) return false
    if (ids.join() === before.join()) return true
    await sql`update slots s set position = wanted.position
      from unnest(${ids}::int[]) with ordinality as wanted (id, position) where s.id = wanted.id`.execute(tx)
    await audit(tx, who, { action: 'reordered', subject: 'slot', id: '', before: { order: before }, after: { order: ids } })
    return true
  })
}

/** What adds, takes away or moves in the list goes one after the other. */
function oneByOne<Result>(db: Db, change: (tx: Db) => Promise<Result>): Promise<Result> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('slots'))`.execute(tx)
    return change(tx)
  })
}

async function areProducts(tx: Db, ids: number[]): Promise<boolean> {
  const { rows } = await sql`select 1 from products where id = any(${ids}::bigint[])`.execute(tx)
  return rows.length === ids.length
}

async function writeProducts(tx: Db, id: number, productIds: number[]): Promise<void> {
  await sql`delete from slot_products where slot_id = ${id}`.execute(tx)
  await sql`insert into slot_products (slot_id, product_id, position)
    select ${id}::int, wanted.id, wanted.position from unnest(${productIds}::bigint[]) with ordinality as wanted (id, position)`.execute(tx)
}

/** The slot as the log keeps it. */
async function stateOf(tx: Db, id: number): Promise<object | null> {
  const { rows } = await sql<object>`select name_en, name_bn, active,
    array(select product_id from slot_products where slot_id = s.id order by position, product_id) as products
    from slots s where id = ${id}`.execute(tx)
  return rows[0] ?? null
}
