import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { loggedFilter } from '#features/audit/logged-filter.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { inTransactionOrRollback } from '#lib/db/rollback.server.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { readOrderFilter } from '../orders/history/list-query-rules.ts'
import { type Condition, matchingOrders } from '../orders/history/order-conditions.server.ts'
import { needsReason, type OrderStatus } from '../orders/rules.ts'
import { MAX_RUN_ORDERS, MAX_RUNNING } from './types.ts'

export interface BulkRequest {
  /** The query of the list. */
  query: string
  status: OrderStatus
  reason: string
  /** What the actor confirmed: the number of orders, and the newest order of the shop then. */
  count: number
  up_to: number
}

export type StartResult =
  | { ok: true; id: number; total: number }
  | { ok: false; reason: 'reason-required' | 'too-many-runs' | 'too-many-orders' | 'none' }
  /** More orders match than were confirmed. */
  | { ok: false; reason: 'changed'; count: number }

/** As the list reads its address: of a repeated name the first value counts. */
const filterOf = (query: string) => readOrderFilter(Object.fromEntries([...new URLSearchParams(query)].toReversed()))

/** The exact number of orders that a query of the list finds, and the newest order of the shop. */
export async function countMatching(db: Db, query: string): Promise<{ count: number; up_to: number }> {
  const matching = await matchingOrders(db, filterOf(query))
  const { rows } = await sql<{ count: number; up_to: number }>`select
    ${matching ? sql`(select count(*)::int from orders o where ${matching})` : sql`0`} as count, coalesce((select max(id) from orders), 0) as up_to`.execute(
    db,
  )
  return rows[0]!
}

/**
 * Fixes the orders of a run: those that match now, each with its version. Orders that are newer than the confirmed number are left out. A
 * worker changes them (`run-bulk-orders.server.ts`).
 */
export async function startBulkRun(db: Db, request: BulkRequest, actor: Actor): Promise<StartResult> {
  const reason = sanitizeText(request.reason)
  if (needsReason(request.status) && reason === '') return { ok: false, reason: 'reason-required' }
  if (request.count > MAX_RUN_ORDERS) return { ok: false, reason: 'too-many-orders' }
  const matching = await matchingOrders(db, filterOf(request.query))
  if (!matching) return { ok: false, reason: 'none' }
  return inTransactionOrRollback<StartResult>(db, (tx, rollBack) => insertRun(tx, { ...request, reason, matching, rollBack }, actor))
}

async function insertRun(
  tx: Db,
  {
    query,
    status,
    reason,
    count,
    up_to,
    matching,
    rollBack,
  }: BulkRequest & { matching: Condition; rollBack: (result: StartResult) => never },
  actor: Actor,
): Promise<StartResult> {
  await sql`select pg_advisory_xact_lock(hashtextextended('bulk runs', 0))`.execute(tx)
  const running = await sql<{ count: number }>`select count(*)::int as count from bulk_runs where state = 'running'`.execute(tx)
  if (running.rows[0]!.count >= MAX_RUNNING) return { ok: false, reason: 'too-many-runs' }
  const filter = loggedFilter(new URLSearchParams(query))
  const { rows } = await sql<{ id: number }>`insert into bulk_runs (status, reason, filter, total, started_by, ip)
    values (${status}, ${reason}, ${filter}, 1, ${actor.id}, ${actor.ip}) returning id`.execute(tx)
  const { id } = rows[0]!
  const added = await sql`insert into bulk_run_orders (run_id, order_id, version)
    select ${id}, o.id, o.version from orders o where ${matching} and o.id <= ${up_to} limit ${count + 1}`.execute(tx)
  const total = Number(added.numAffectedRows ?? 0)
  if (total === 0) rollBack({ ok: false, reason: 'none' })
  if (total > count) rollBack({ ok: false, reason: 'changed', ...(await countMatching(tx, query)) })
  await sql`update bulk_runs set total = ${total} where id = ${id}`.execute(tx)
  await audit(tx, actor, { action: 'created', subject: 'bulk-run', id, after: { status, count: total, filter } })
  return { ok: true, id, total }
}

/**
 * Ends a run. Waits for the order that is being changed: afterwards no further one is. False when it has ended already. Without an actor its
 * author may no longer change orders.
 */
export async function cancelBulkRun(db: Db, id: number, actor: Actor | null): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const isCancelled = await endBulkRun(tx, id, 'cancelled')
    const after = { state: 'cancelled', ...(actor === null ? { why: 'actor' } : {}) }
    if (isCancelled) await audit(tx, actor, { action: 'changed', subject: 'bulk-run', id, before: { state: 'running' }, after })
    return isCancelled
  })
}

/** Ends a running run with its final counts, and deletes its reason, which the orders have. A run is done once no order waits. */
export async function endBulkRun(tx: Db, id: number, state: 'done' | 'cancelled'): Promise<boolean> {
  // The lock comes first: the counts are of a snapshot that is taken after it.
  const { rows } = await sql`select 1 from bulk_runs where id = ${id} and state = 'running' for update`.execute(tx)
  if (rows.length === 0) return false
  const ended = await sql`update bulk_runs r set state = ${state}, reason = '', finished_at = now(), done = c.done, failed = c.failed
    from (select count(*) filter (where state = 'done')::int as done, count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'waiting')::int as waiting from bulk_run_orders where run_id = ${id}) c
    where r.id = ${id} and (c.waiting = 0 or ${state} = 'cancelled')`.execute(tx)
  return Number(ended.numAffectedRows ?? 0) === 1
}

/** Takes an ended run from the list of orders. */
export async function dismissBulkRun(db: Db, id: number): Promise<boolean> {
  const done = await sql`update bulk_runs set is_dismissed = true where id = ${id} and state <> 'running'`.execute(db)
  return Number(done.numAffectedRows ?? 0) === 1
}
