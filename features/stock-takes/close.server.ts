import { sql } from 'kysely'
import { type Actor, audit, auditAll } from '#features/audit/audit.server.ts'
import { MAX_STOCK_MILLI, type ProductStatus, statusOfCount } from '#features/stock/rules.ts'
import { adjustStock, lockProducts, recordEqualCounts, writeOffAnimals } from '#features/stock/stock.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { findRows, isGoneAnimal, lineValue, summarize, type TakeRow, waitingOrder } from './queries.server.ts'
import type { TakeReason, TakeState } from './rules.ts'

/**
 * Why the difference of a line cannot be applied. `below-zero`: more is missing than is left. `ordered`: a missing animal has an order.
 * `counted-since`: another count has set the stock since, which may be the same difference.
 */
export interface LineProblem {
  row: TakeRow
  reason: 'below-zero' | 'counted-since' | 'not-counted' | 'ordered' | 'too-much'
  order_id: number | null
}

export type TakeEnded =
  | { ok: true; id: number }
  /** `ended`: it was closed or cancelled already. `changed`: lines were counted since the person looked. */
  | { ok: false; reason: 'missing' | 'ended' | 'changed' | 'empty' }
  | { ok: false; reason: 'lines'; problems: LineProblem[] }

interface Difference {
  id: number
  is_unique: boolean
  status: ProductStatus
  stock: number | null
  delta: number
  reason: TakeReason
  order_id: number | null
  is_counted_since: boolean
}

/**
 * Closes a sheet: adds every difference to the stock of this moment, in one transaction under the locks of the products. With one line
 * that cannot be applied nothing is changed. A missing animal is written off, unless it has left since; an animal that is there stays as it is.
 */
export function closeTake(db: Db, actor: Actor, id: number, revision: string, now: Date): Promise<TakeEnded> {
  return inTransaction(db, async (tx): Promise<TakeEnded> => {
    const locked = await lockTake(tx, id)
    if (locked !== null) return { ok: false, reason: locked }
    // Those without a difference too: a sale that comes in late changes what their lines expect.
    const { rows: lines } = await sql<{ product_id: number }>`
      select l.product_id from stock_take_lines l join products p on p.id = l.product_id
      where l.take_id = ${id} and (l.counted_milli <> l.expected_milli or not p.is_unique)`.execute(tx)
    await lockProducts(
      tx,
      lines.map((line) => line.product_id),
    )
    const counted = await summarize(tx, id, { countsOpen: false })
    if (counted.revision !== revision) return { ok: false, reason: 'changed' }
    if (counted.counted === 0) return { ok: false, reason: 'empty' }
    const differences = await listDifferences(tx, id)
    const problems = await findProblems(tx, id, differences)
    if (problems.length > 0) return { ok: false, reason: 'lines', problems }
    await expectNoGoneAnimals(tx, id)
    const summary = await summarize(tx, id, { countsOpen: false })
    const applied = await apply(tx, differences)
    await recordEqualCounts(tx, await listEqual(tx, id))
    const after = applied.map(({ id: product, ...line }) => ({ product, ...line }))
    await auditAll(
      tx,
      actor,
      after.map(({ product, before, stock, wasStatus, status, reason }) => ({
        action: 'changed',
        subject: 'product',
        id: product,
        before: { stock: before, status: wasStatus },
        after: { stock, status, why: 'stock-take', stock_take: id, take_reason: reason },
      })),
    )
    await end(tx, actor, id, 'closed', now)
    const difference = summary.missing_poisha + summary.surplus_poisha
    await audit(tx, actor, {
      action: 'closed',
      subject: 'stock-take',
      id,
      after: { counted: summary.counted, differences: summary.different, difference },
    })
    return { ok: true, id }
  })
}

/** Cancels a sheet: its lines stay to be read, and no stock changes. */
export function cancelTake(db: Db, actor: Actor, id: number, now: Date): Promise<TakeEnded> {
  return inTransaction(db, async (tx): Promise<TakeEnded> => {
    const locked = await lockTake(tx, id)
    if (locked !== null) return { ok: false, reason: locked }
    await end(tx, actor, id, 'cancelled', now)
    await audit(tx, actor, { action: 'cancelled', subject: 'stock-take', id })
    return { ok: true, id }
  })
}

/** Locks an open sheet; of two people who end it the second one meets `ended`. */
async function lockTake(tx: Db, id: number): Promise<'missing' | 'ended' | null> {
  const { rows } = await sql<{ state: TakeState }>`select state from stock_takes where id = ${id} for update`.execute(tx)
  if (!rows[0]) return 'missing'
  return rows[0].state === 'open' ? null : 'ended'
}

async function end(tx: Db, actor: Actor, id: number, state: 'closed' | 'cancelled', now: Date): Promise<void> {
  await sql`update stock_take_lines l set price_poisha = p.price_poisha from products p where l.take_id = ${id} and p.id = l.product_id`.execute(
    tx,
  )
  const value = state === 'closed' ? sql`s.value` : sql`null`
  await sql`
    update stock_takes t set state = ${state}, ended_by = ${actor.id}, ended_at = ${now}, difference_poisha = ${value},
      lines = s.lines, differences = s.differences
    from (select count(*)::int as lines, (count(*) filter (where l.counted_milli <> l.expected_milli))::int as differences,
        coalesce(sum(${lineValue}), 0)::bigint as value
      from stock_take_lines l join products p on p.id = l.product_id where l.take_id = ${id}) s
    where t.id = ${id}`.execute(tx)
}

/**
 * Whether the stock of a product was counted since a line `l` first counted it: on its page, by another stock take, or for a sale that was
 * made without network. A write-off beside a return is none.
 */
const isCountedSince = sql`exists (select 1 from stock_movements m
  where m.product_id = l.product_id and m.id > l.last_movement_id and m.order_id is null and (m.reason = 'counted'
    or m.reason = 'spoiled' and not exists (select 1 from stock_movements r
      where r.product_id = l.product_id and r.id > l.last_movement_id and r.at = m.at and r.reason = 'freed')))`

/** The lines with a difference, and their products now. The products must be locked. */
async function listDifferences(tx: Db, id: number): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    select p.id, p.is_unique, p.status, p.stock_milli::bigint as stock, (l.counted_milli - l.expected_milli)::bigint as delta, l.reason,
      case when p.is_unique then ${waitingOrder} end as order_id, not p.is_unique and ${isCountedSince} as is_counted_since
    from stock_take_lines l join products p on p.id = l.product_id
    where l.take_id = ${id} and l.counted_milli <> l.expected_milli and not ${isGoneAnimal} order by p.id`.execute(tx)
  return rows
}

/** Stores that the animals that were missing and have left since were rightly missing: they are no difference. The products must be locked. */
async function expectNoGoneAnimals(tx: Db, id: number): Promise<void> {
  await sql`update stock_take_lines l set expected_milli = l.counted_milli, reason = 'counted' from products p
    where l.take_id = ${id} and p.id = l.product_id and ${isGoneAnimal}`.execute(tx)
}

/** The counted products without a difference, animals apart. A count that another has replaced since confirms nothing. */
async function listEqual(tx: Db, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select p.id from stock_take_lines l join products p on p.id = l.product_id
    where l.take_id = ${id} and l.counted_milli = l.expected_milli and not p.is_unique and p.stock_milli is not null
      and not ${isCountedSince} order by p.id`.execute(tx)
  return rows.map((row) => row.id)
}

async function findProblems(tx: Db, id: number, differences: readonly Difference[]): Promise<LineProblem[]> {
  const reasons = new Map(
    differences.flatMap((line) => {
      const reason = problemOf(line)
      return reason === null ? [] : [[line.id, { reason, order_id: line.order_id }] as const]
    }),
  )
  if (reasons.size === 0) return []
  const rows = await findRows(tx, id, [...reasons.keys()])
  return rows.map((row) => ({ row, ...reasons.get(row.id)! }))
}

function problemOf({ stock, delta, ...line }: Difference): LineProblem['reason'] | null {
  if (line.is_unique) return delta < 0 && line.order_id !== null ? 'ordered' : null
  if (stock === null) return 'not-counted'
  if (line.is_counted_since) return 'counted-since'
  if (stock + delta < 0) return 'below-zero'
  return stock + delta > MAX_STOCK_MILLI ? 'too-much' : null
}

interface Applied {
  id: number
  before: number
  stock: number
  wasStatus: ProductStatus
  status: ProductStatus
  reason: TakeReason
}

/** Changes stock and status. Animals that were found stay as they are. */
async function apply(tx: Db, differences: readonly Difference[]): Promise<Applied[]> {
  const goods = differences.filter((line) => !line.is_unique)
  const gone = differences.filter((line) => line.is_unique && line.delta < 0)
  await adjustStock(
    tx,
    goods.map(({ id, stock, delta, reason }) => ({
      id,
      from: stock ?? 0,
      deltaMilli: delta,
      reason: reason === 'spoiled' ? 'spoiled' : 'counted',
    })),
  )
  await writeOffAnimals(
    tx,
    gone.map(({ id }) => id),
  )
  return [
    ...goods.map(({ id, stock, delta, status, reason }) => {
      const to = (stock ?? 0) + delta
      return { id, before: (stock ?? 0) / 1000, stock: to / 1000, wasStatus: status, status: statusOfCount(status, to), reason }
    }),
    ...gone.map(({ id, stock, status, reason }) => ({
      id,
      before: (stock ?? 0) / 1000,
      stock: 0,
      wasStatus: status,
      status: 'out-of-stock' as const,
      reason,
    })),
  ].toSorted((a, b) => a.id - b.id)
}
