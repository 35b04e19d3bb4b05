import { sql } from 'kysely'
import { expect } from 'vitest'
import { findBroken } from '#db/invariants/find-broken.ts'
import { LEDGER_INVARIANTS } from '#db/invariants/ledger-invariants.ts'
import { aggregateSales } from '#features/reports/aggregate-sales.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { expectInvariants } from './invariants.ts'

/** Checks all invariants of a database that only the shop has written. `before`: the result of `countStock`. */
export async function expectLedger(db: Db, before?: Map<number, number>): Promise<void> {
  await expectInvariants(db, before)
  expect(await findBroken(db, LEDGER_INVARIANTS)).toEqual({})
  expect(await aggregatedDays(db)).toEqual(await rebuiltDays(db))
}

const readDays = async (db: Db) => ({
  days: (await sql`select * from sales_days order by 1, 2, 3`.execute(db)).rows,
  categories: (await sql`select * from sales_day_categories order by 1, 2`.execute(db)).rows,
})

/** The sums by day as the job has aggregated them incrementally. */
async function aggregatedDays(db: Db): Promise<object> {
  await aggregateSales(db, new Date(Date.now() + 3_600_000))
  return readDays(db)
}

/** The sums by day, aggregated again from the first event. */
async function rebuiltDays(db: Db): Promise<object> {
  await sql`delete from sales_days`.execute(db)
  await sql`delete from sales_day_categories`.execute(db)
  await sql`update sales_progress set next_event = 0`.execute(db)
  return aggregatedDays(db)
}
