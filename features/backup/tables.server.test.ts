import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { listTables, readTotals } from './tables.server.ts'
import { inSnapshot } from './write-archive.server.ts'

const { db, pool } = await testDb()

it('totals that are read in steps of blocks equal those of one scan, in a snapshot while rows change', async () => {
  await sql`create table backup_steps (n_milli bigint, m_grams int, filler text)`.execute(db)
  await sql`insert into backup_steps select 9007199254740993 + n, nullif(n % 7, 0), repeat('x', 500) from generate_series(1, 2000) n`.execute(
    db,
  )
  await sql`delete from backup_steps where n_milli % 3 = 0`.execute(db)
  const client = await pool.connect()
  const tables = await listTables(client)
  const [whole, steps] = await inSnapshot(client, async () => {
    const before = await readTotals(client, tables)
    await sql`insert into backup_steps select 1, 1, 'later' from generate_series(1, 500)`.execute(db)
    await sql`update backup_steps set m_grams = 5`.execute(db)
    return [before, await readTotals(client, tables, 7)]
  })
  client.release()
  await sql`drop table backup_steps`.execute(db)
  expect(steps).toEqual(whole)
  expect(whole.backup_steps!.rows).toBeGreaterThan(1000)
  expect(whole.backup_steps!.sums.n_milli).toMatch(/^\d{20}$/)
})
