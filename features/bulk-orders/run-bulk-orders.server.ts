import { sql } from 'kysely'
import { can } from '#features/auth/permissions.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { deleteInBatches } from '#lib/db/delete-in-batches.server.ts'
import { daysBefore, dhakaDate } from '#lib/format/time.ts'
import { hasOpenPoints, isPartlyDelivered, listDeliveryChecks } from '../delivery/delivery-check.server.ts'
import type { OrderStatus } from '../orders/rules.ts'
import { applyStatusChange, creditRefusal, type StatusDeps } from '../orders/status/change-status.server.ts'
import type { BulkFailure } from './bulk-queries.server.ts'
import { cancelBulkRun, endBulkRun } from './start-bulk-run.server.ts'

// Changes the orders of bulk runs, one transaction each, which also marks the order as done (decision 56). A killed process rolls back the
// order it was at, so that any process goes on from there. `skip locked` gives two processes different orders.

/** How long a call works. The job calls it again, so that a stopping process waits for no long run. */
const BUDGET_MS = 3000
/** Orders of one run before the next run has its turn. */
const TURN = 20
const MAX_ATTEMPTS = 3

export type BulkDeps = StatusDeps & { log: { error(details: object, message: string): void } }

interface RunningRun {
  id: number
  status: OrderStatus
  reason: string
  actor_id: number
  ip: string
  role: Role
  is_disabled: boolean
}

/** Works at the running runs in turn until none is left or the time is used up. Returns how many orders it handled. */
export async function runBulkOrders(deps: BulkDeps, budgetMs = BUDGET_MS): Promise<number> {
  const endsAt = performance.now() + budgetMs
  let handled = 0
  for (;;) {
    const before = handled
    const runs = await listRunning(deps.db)
    for (const run of runs) handled += await takeTurn(deps, run, endsAt)
    // Without progress the other process has the last orders.
    if (runs.length === 0 || handled === before || performance.now() >= endsAt) return handled
  }
}

async function listRunning(db: Db): Promise<RunningRun[]> {
  const { rows } = await sql<RunningRun>`
    select r.id, r.status, r.reason, r.started_by as actor_id, r.ip, u.role, u.disabled_at is not null as is_disabled
    from bulk_runs r join users u on u.id = r.started_by where r.state = 'running' order by r.id`.execute(db)
  return rows
}

/** Handles up to `TURN` orders of a run; ends it after the last. One whose actor may no longer change orders is cancelled; the audit log says so. */
async function takeTurn(deps: BulkDeps, run: RunningRun, endsAt: number): Promise<number> {
  if (run.is_disabled || !can(run.role, 'orders.write')) {
    await cancelBulkRun(deps.db, run.id, null)
    return 0
  }
  let handled = 0
  while (handled < TURN && performance.now() < endsAt) {
    if (!(await changeNext(deps, run))) {
      await inTransaction(deps.db, (tx) => endBulkRun(tx, run.id, 'done'))
      break
    }
    handled += 1
  }
  return handled
}

/** Changes the next waiting order of the run; false when none is free. */
async function changeNext(deps: BulkDeps, run: RunningRun): Promise<boolean> {
  const { db } = deps
  let orderId: number | null = null
  try {
    const settings = await deps.shopCache.settings()
    const hasChanged = await inTransaction(db, async (tx) => {
      const item = await lockNext(tx, run.id)
      orderId = item?.order_id ?? null
      if (!item) return null
      // The step by hand asks about these; a run changes none of them unseen.
      if (await needsCheck(tx, item.order_id, run.status, dhakaDate(deps.now())))
        return markFailed(tx, run.id, item.order_id, { reason: 'needs-check' })
      const change = { to: run.status, reason: run.reason, version: item.version, mayReopen: can(run.role, 'orders.reopen') }
      const result = await applyStatusChange(tx, { deps, settings }, item.order_id, change, { kind: 'staff', id: run.actor_id, ip: run.ip })
      if (!result.ok) return markFailed(tx, run.id, item.order_id, result)
      await sql`update bulk_run_orders set state = 'done' where run_id = ${run.id} and order_id = ${item.order_id}`.execute(tx)
      return true
    })
    if (hasChanged) deps.catalogChanged()
    return hasChanged !== null
  } catch (error) {
    if (orderId === null) throw error
    const refusal = creditRefusal(error)
    if (refusal) await markFailed(db, run.id, orderId, refusal)
    else await countAttempt(deps, run.id, orderId, error)
    return true
  }
}

/** Whether a person is to look at the order first: it has open points of a delivery, or ends between two deliveries. */
async function needsCheck(tx: Db, orderId: number, to: OrderStatus, today: string): Promise<boolean> {
  if (to === 'cancelled') return isPartlyDelivered(tx, orderId, today)
  return (await listDeliveryChecks(tx, [orderId], to, today)).some(hasOpenPoints)
}

/** Locks the next order of a run that goes on. The lock of the run makes a cancellation wait for this order. */
async function lockNext(tx: Db, runId: number): Promise<{ order_id: number; version: number } | null> {
  const going = await sql`select 1 from bulk_runs where id = ${runId} and state = 'running' for share`.execute(tx)
  if (going.rows.length === 0) return null
  const { rows } = await sql<{ order_id: number; version: number }>`
    select order_id, version from bulk_run_orders where run_id = ${runId} and state = 'waiting'
    order by attempts, order_id limit 1 for update skip locked`.execute(tx)
  return rows[0] ?? null
}

async function markFailed(db: Db, runId: number, orderId: number, failure: BulkFailure): Promise<false> {
  await sql`update bulk_run_orders set state = 'failed', failure = ${JSON.stringify(failure)}::jsonb
    where run_id = ${runId} and order_id = ${orderId} and state = 'waiting'`.execute(db)
  return false
}

/** After an unexpected error the order goes to the end of the run; the third one fails it. */
async function countAttempt(deps: BulkDeps, runId: number, orderId: number, error: unknown): Promise<void> {
  deps.log.error({ err: error, run: runId, order: orderId }, 'a bulk change of an order failed')
  await sql`update bulk_run_orders set attempts = attempts + 1,
      state = case when attempts + 1 >= ${MAX_ATTEMPTS} then 'failed' else state end,
      failure = case when attempts + 1 >= ${MAX_ATTEMPTS} then '{"reason":"error"}'::jsonb end
    where run_id = ${runId} and order_id = ${orderId} and state = 'waiting'`.execute(deps.db)
}

const MAX_AGE_DAYS = 30

/** Deletes ended runs after thirty days; their orders first, which are up to 100,000 of each. */
export async function deleteOldBulkRuns(db: Db, now: Date): Promise<void> {
  const isOld = sql`state <> 'running' and started_at < ${daysBefore(now, MAX_AGE_DAYS)}`
  await deleteInBatches((limit) =>
    sql`delete from bulk_run_orders where ctid = any(array(select ctid from bulk_run_orders where run_id in (select id from bulk_runs where ${isOld}) limit ${limit}))`.execute(
      db,
    ),
  )
  await sql`delete from bulk_runs where ${isOld}`.execute(db)
}
