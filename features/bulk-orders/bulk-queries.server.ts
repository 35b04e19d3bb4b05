import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import type { StatusResult } from '../orders/status/change-status.server.ts'
import { type BulkRun, FAILURES_PAGE } from './types.ts'

/** Why an order of a run was not changed. `needs-check`: a person is to look first. `error`: three attempts failed. */
export type BulkFailure = (StatusResult & { ok: false }) | { reason: 'needs-check' } | { reason: 'error' }

/**
 * The runs that go on, and those of the last day that nobody has dismissed; newest first. The counts of an ended run are stored, and those of one
 * that goes on are zero in its row.
 */
export async function listBulkRuns(db: Db): Promise<BulkRun[]> {
  const { rows } = await sql<WithDates<BulkRun, 'started_at'>>`
    select r.id, r.status, r.state, r.total, u.name as by, r.started_at,
      greatest(c.done, r.done) as done, greatest(c.failed, r.failed) as failed
    from bulk_runs r join users u on u.id = r.started_by
    cross join lateral (select count(*) filter (where i.state = 'done')::int as done, count(*) filter (where i.state = 'failed')::int as failed
      from bulk_run_orders i where i.run_id = r.id and r.state = 'running' and i.state in ('done', 'failed')) c
    where (r.state = 'running' or r.started_at > now() - interval '1 day') and not r.is_dismissed
    order by r.id desc limit 20`.execute(db)
  return rows.map(datesToText)
}

/** The orders of a run that were not changed, by number, after one. */
export async function listBulkFailures(db: Db, runId: number, after: number): Promise<{ id: number; failure: BulkFailure }[]> {
  const { rows } = await sql<{ id: number; failure: BulkFailure }>`
    select order_id as id, coalesce(failure, '{"reason":"error"}') as failure from bulk_run_orders where run_id = ${runId} and state = 'failed' and order_id > ${after}
    order by order_id limit ${FAILURES_PAGE}`.execute(db)
  return rows
}
