import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { MAX_STOCK_MILLI } from '#features/stock/rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { expectedMilli, findRows, isInScope, orderedOf, type TakeRow } from './queries.server.ts'
import { isCountable, reasonsOf, type TakeReason, type TakeState } from './rules.ts'

// Lock order: the sheet, then products (docs/architecture.md). Counting shares the lock of the sheet; removing a line, closing and cancelling
// take it alone.

export type TakeStarted = { ok: true; id: number } | { ok: false; reason: 'category' }

/** Starts a sheet of one category, or of all counted products and animals. */
export function startTake(
  db: Db,
  actor: Actor,
  { category_id: categoryId, note }: { category_id: number | null; note: string },
  now: Date,
): Promise<TakeStarted> {
  return inTransaction(db, async (tx): Promise<TakeStarted> => {
    const { rows } =
      categoryId === null
        ? await sql<{ id: number }>`
          insert into stock_takes (note, started_by, started_at) values (${note}, ${actor.id}, ${now}) returning id`.execute(tx)
        : await sql<{ id: number }>`
          insert into stock_takes (category_id, category_en, category_bn, note, started_by, started_at)
          select id, name_en, name_bn, ${note}, ${actor.id}, ${now} from categories where id = ${categoryId} returning id`.execute(tx)
    const take = rows[0]
    if (!take) return { ok: false, reason: 'category' }
    const after = { ...(categoryId === null ? {} : { category_id: categoryId }), ...(note ? { note } : {}) }
    await audit(tx, actor, { action: 'created', subject: 'stock-take', id: take.id, after })
    return { ok: true, id: take.id }
  })
}

export type Counted =
  | { ok: true; row: TakeRow }
  /** `ended`: the sheet was closed or cancelled. `stock-moved`: another quantity for a product whose stock changed since its first count. */
  | { ok: false; reason: 'missing' | 'ended' | 'not-counted' | 'other-category' | 'quantity' | 'too-much' | 'reason' | 'stock-moved' }
  /** Another person has counted since; `row` is what stands there. */
  | { ok: false; reason: 'conflict'; row: TakeRow }

/** The version of a new line of sheet `t`: above those of removed lines, so that no screen takes it for one of them. */
const firstVersion = sql`t.removed_version + 1`

interface Countable {
  is_unique: boolean
  unit: string
  expected: number | null
  /** The newest stock movement. */
  last_movement_id: number
  in_scope: boolean
}

/** Checks the sheet and the product, with the sheet locked against closing. Returns the product, or why it cannot be counted. */
async function beginCount(
  tx: Db,
  takeId: number,
  productId: number,
): Promise<Countable | 'missing' | 'ended' | 'not-counted' | 'other-category'> {
  const { rows: takes } = await sql<{ state: TakeState }>`select state from stock_takes where id = ${takeId} for share`.execute(tx)
  if (!takes[0]) return 'missing'
  if (takes[0].state !== 'open') return 'ended'
  // A sale that comes in late looks for lines that were counted after it: it must see this one, or be in its expected stock.
  await sql`select 1 from products where id = ${productId} for key share`.execute(tx)
  const { rows } = await sql<Countable>`
    with ${orderedOf(sql`= ${productId}`)} select p.is_unique, p.unit, ${expectedMilli} as expected, ${isInScope} as in_scope,
      coalesce((select max(m.id) from stock_movements m where m.product_id = p.id), 0) as last_movement_id
    from stock_takes t cross join products p left join ordered q on q.product_id = p.id
    where t.id = ${takeId} and p.id = ${productId} and p.archived_at is null`.execute(tx)
  const product = rows[0]
  if (!product) return 'missing'
  if (product.expected === null) return 'not-counted'
  return product.in_scope ? product : 'other-category'
}

/** Adds a scanned quantity to a line, and creates it at the first scan. Scanning an animal again changes nothing. */
export function scanProduct(
  db: Db,
  actor: Actor,
  takeId: number,
  { product_id: productId, quantity: milli }: { product_id: number; quantity: number },
  now: Date,
): Promise<Counted> {
  return inTransaction(db, async (tx): Promise<Counted> => {
    const product = await beginCount(tx, takeId, productId)
    if (typeof product === 'string') return { ok: false, reason: product }
    if (!isCountable(milli, { isUnique: product.is_unique, unit: product.unit })) return { ok: false, reason: 'quantity' }
    const counted = product.is_unique ? sql`${milli}::bigint` : sql`l.counted_milli + ${milli}::bigint`
    // A reason that no longer fits the difference falls back to `counted`.
    const { rows } = await sql`
      insert into stock_take_lines as l (take_id, product_id, expected_milli, last_movement_id, counted_milli, first_counted_at, counted_at, counted_by, version)
      select t.id, ${productId}, ${product.expected}::bigint, ${product.last_movement_id}::bigint, ${milli}::bigint, ${now}::timestamptz, ${now}::timestamptz,
        ${actor.id}::bigint, ${firstVersion}
      from stock_takes t where t.id = ${takeId}
      on conflict (take_id, product_id) do update set counted_milli = ${counted}, counted_at = ${now}, counted_by = ${actor.id}, version = l.version + 1,
        reason = case when l.reason = 'found' and ${counted} > l.expected_milli
          or l.reason in ('spoiled', 'lost') and ${counted} < l.expected_milli then l.reason else 'counted' end
      where ${counted} <= ${MAX_STOCK_MILLI}::bigint returning 1`.execute(tx)
    if (rows.length === 0) return { ok: false, reason: 'too-much' }
    return { ok: true, row: (await findRows(tx, takeId, [productId]))[0]! }
  })
}

export interface CountInput {
  product_id: number
  /** Thousandths. */
  quantity: number
  reason: TakeReason
  version: number | null
}

/**
 * Sets the typed quantity and reason of a line. A line that another person has changed since is a conflict. Once the stock has moved, the
 * expected stock of the first count does not belong to a new quantity: the line must be removed first.
 */
export function countProduct(db: Db, actor: Actor, takeId: number, input: CountInput, now: Date): Promise<Counted> {
  const { product_id: productId, quantity, reason, version } = input
  return inTransaction(db, async (tx): Promise<Counted> => {
    const product = await beginCount(tx, takeId, productId)
    if (typeof product === 'string') return { ok: false, reason: product }
    if (!isCountable(quantity, { isUnique: product.is_unique, unit: product.unit })) return { ok: false, reason: 'quantity' }
    const [row] = await findRows(tx, takeId, [productId])
    if (row?.line?.version === version && isMoved(row, product) && row.line.counted_milli !== quantity)
      return { ok: false, reason: 'stock-moved' }
    const expected = row?.line?.expected_milli ?? product.expected ?? 0
    if (!reasonsOf(quantity - expected).includes(reason)) return { ok: false, reason: 'reason' }
    const { rows } =
      version === null
        ? await sql`
          insert into stock_take_lines (take_id, product_id, expected_milli, last_movement_id, counted_milli, reason, first_counted_at, counted_at, counted_by, version)
          select t.id, ${productId}, ${expected}::bigint, ${product.last_movement_id}::bigint, ${quantity}::bigint, ${reason}, ${now}::timestamptz, ${now}::timestamptz, ${actor.id}::bigint, ${firstVersion}
          from stock_takes t where t.id = ${takeId} on conflict (take_id, product_id) do nothing returning 1`.execute(tx)
        : await sql`
          update stock_take_lines set counted_milli = ${quantity}, reason = ${reason}, counted_at = ${now}, counted_by = ${actor.id}, version = version + 1
          where take_id = ${takeId} and product_id = ${productId} and version = ${version} returning 1`.execute(tx)
    const after = (await findRows(tx, takeId, [productId]))[0]!
    return rows.length > 0 ? { ok: true, row: after } : { ok: false, reason: 'conflict', row: after }
  })
}

/** Whether sales, deliveries or counts have changed the expected stock since the first count. An animal is there or not. */
function isMoved({ line, is_unique }: TakeRow, { expected }: Countable): boolean {
  return line !== null && !is_unique && line.expected_milli !== expected
}

/** Removes a line, so that the product can be counted from its stock of that later moment. Its versions are not used again. */
export function removeLine(
  db: Db,
  takeId: number,
  { product_id: productId, version }: { product_id: number; version: number },
): Promise<Counted> {
  return inTransaction(db, async (tx): Promise<Counted> => {
    const { rows: takes } = await sql<{ state: TakeState }>`select state from stock_takes where id = ${takeId} for update`.execute(tx)
    if (!takes[0]) return { ok: false, reason: 'missing' }
    if (takes[0].state !== 'open') return { ok: false, reason: 'ended' }
    const { numAffectedRows } = await sql`
      with removed as (delete from stock_take_lines where take_id = ${takeId} and product_id = ${productId} and version = ${version} returning version)
      update stock_takes t set removed_version = greatest(t.removed_version, r.version) from removed r where t.id = ${takeId}`.execute(tx)
    const [row] = await findRows(tx, takeId, [productId])
    if (!row) return { ok: false, reason: 'missing' }
    return Number(numAffectedRows ?? 0) > 0 || row.line === null ? { ok: true, row } : { ok: false, reason: 'conflict', row }
  })
}
