import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { wholeOrder } from '../sort-order-form.ts'
import type { SlotForm } from './forms.ts'

export type SlotChange = { ok: true; id: number } | { ok: false; reason: 'missing' | 'stale' | 'unknown-product' }

/** Adds a slot at the end of the home page. */
export function addSlot(db: Db, actor: Actor, form: SlotForm): Promise<SlotChange> {
  return inSequence(db, async (tx) => {
    if (!(await areProducts(tx, form.product_ids))) return { ok: false, reason: 'unknown-product' }
    const { product_ids, ...fields } = form
    const { last } = await tx
      .selectFrom('slots')
      .select((eb) => eb.fn.max<number | null>('position').as('last'))
      .executeTakeFirstOrThrow()
    const { id } = await tx
      .insertInto('slots')
      .values({ ...fields, position: (last ?? 0) + 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeProducts(tx, id, product_ids)
    await audit(tx, actor, { action: 'created', subject: 'slot', id, after: await stateOf(tx, id) })
    return { ok: true, id }
  })
}

/** Updates a slot and its products if it still has this version. */
export function changeSlot(db: Db, actor: Actor, id: number, version: number, form: SlotForm): Promise<SlotChange> {
  return inTransaction(db, async (tx): Promise<SlotChange> => {
    const before = await stateOf(tx, id)
    const { product_ids, ...fields } = form
    if (!(await areProducts(tx, product_ids))) return { ok: false, reason: 'unknown-product' }
    const updated = await updateVersioned(tx, 'slots', id, version, fields)
    if (!updated.ok) return updated
    await writeProducts(tx, id, product_ids)
    await audit(tx, actor, { action: 'changed', subject: 'slot', id, before, after: await stateOf(tx, id) })
    return { ok: true, id }
  })
}

/** Deletes a slot but not its products; false when there is none with the id. */
export function deleteSlot(db: Db, actor: Actor, id: number): Promise<boolean> {
  return inSequence(db, async (tx) => {
    const before = await stateOf(tx, id)
    if (!before) return false
    const { numDeletedRows } = await tx.deleteFrom('slots').where('id', '=', id).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await audit(tx, actor, { action: 'deleted', subject: 'slot', id, before })
    return true
  })
}

/** Reorders all slots; false when the input does not have each slot once with priorities 1 to n. */
export function reorderSlots(db: Db, actor: Actor, input: { id: number; priority: number }[]): Promise<boolean> {
  return inSequence(db, async (tx) => {
    const rows = await tx.selectFrom('slots').select('id').orderBy('position').orderBy('id').execute()
    const before = rows.map(({ id }) => id)
    const ids = wholeOrder(before, input)
    if (!ids) return false
    if (ids.join() === before.join()) return true
    await sql`update slots s set position = wanted.position
      from unnest(${ids}::int[]) with ordinality as wanted (id, position) where s.id = wanted.id`.execute(tx)
    await audit(tx, actor, { action: 'reordered', subject: 'slot', id: '', before: { order: before }, after: { order: ids } })
    return true
  })
}

/** Runs changes of the list one after another. */
function inSequence<Result>(db: Db, change: (tx: Db) => Promise<Result>): Promise<Result> {
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
  await tx.deleteFrom('slot_products').where('slot_id', '=', id).execute()
  await sql`insert into slot_products (slot_id, product_id, position)
    select ${id}::int, wanted.id, wanted.position from unnest(${productIds}::bigint[]) with ordinality as wanted (id, position)`.execute(tx)
}

/** The slot as the audit log stores it. */
async function stateOf(tx: Db, id: number): Promise<object | null> {
  const { rows } = await sql<object>`select name_en, name_bn, active,
    array(select product_id from slot_products where slot_id = s.id order by position, product_id) as products
    from slots s where id = ${id}`.execute(tx)
  return rows[0] ?? null
}
