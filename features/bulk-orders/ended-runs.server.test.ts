import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { rowsRead } from '#test/rows-read.ts'
import { listBulkRuns } from './bulk-queries.server.ts'
import { endBulkRun } from './start-bulk-run.server.ts'

const { db } = await testDb()

it('the orders of an ended run are not counted again for the list, those of a running one are', async () => {
  const { id } = await buildUser(db, { role: 'manager' })
  await sql`insert into bulk_runs (status, filter, total, state, started_by, finished_at, done, failed)
    values ('completed', '', 2000, 'done', ${id}, now(), 1999, 1), ('completed', '', 10, 'running', ${id}, null, 0, 0)`.execute(db)
  await sql`insert into bulk_run_orders (run_id, order_id, version, state) select r.id, n, 1, 'done'
    from bulk_runs r, generate_series(1, 2000) n where n <= case when r.state = 'done' then 2000 else 4 end`.execute(db)
  await sql`analyze bulk_runs, bulk_run_orders`.execute(db)
  const read = await rowsRead(db, 'bulk_run_orders', async (tx) => {
    const runs = await listBulkRuns(tx)
    expect(runs.map(({ state, done, failed }) => [state, done, failed])).toEqual([
      ['running', 4, 0],
      ['done', 1999, 1],
    ])
  })
  expect(read).toBe(4)
})

it('the typed reason of an ended run is deleted: it may name a customer who is erased later', async () => {
  const { id } = await buildUser(db, { role: 'manager' })
  for (const state of ['done', 'cancelled'] as const) {
    const { rows } = await sql<{ id: number }>`insert into bulk_runs (status, reason, filter, total, started_by)
      values ('cancelled', 'Rahima moved away', '', 1, ${id}) returning id`.execute(db)
    expect(await endBulkRun(db, rows[0]!.id, state)).toBe(true)
    expect((await sql`select state, reason from bulk_runs where id = ${rows[0]!.id}`.execute(db)).rows).toEqual([{ state, reason: '' }])
  }
})
