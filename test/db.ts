import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { sql } from 'kysely'
import { afterAll, expect } from 'vitest'
import { openDb, type Db } from '#lib/db/db.server.ts'
import { auditWithoutWords } from './audit-words.ts'
import { cloneDatabase, dropDatabase, LONG_TIMEOUTS, TEMPLATE, withDatabase } from './clone.ts'
import { shared } from './shared.ts'

export type TestDb = {
  db: Db
  pool: pg.Pool
  url: string
  /** Brings back the state right after the migrations. Open connections are cut, `db` and `pool` stay usable. */
  reset(): Promise<void>
}

export type TestDatabase = { url: string; drop(): Promise<void> }

/**
 * A migrated database of its own for this test file, dropped at its end. Call it at the top of the file:
 * `const { db, reset } = await testDb();`
 * A connection costs PostgreSQL some 40 ms of processor time, so the pool is small; tests of races set a higher `max`.
 */
export async function testDb({ max = 8 }: { max?: number } = {}): Promise<TestDb> {
  const adminUrl = await adminUrlOfCluster()
  const name = newName()
  await cloneDatabase(adminUrl, name)
  const url = withDatabase(adminUrl, name)
  const { db, pool, close } = openDb(url, { max, ...LONG_TIMEOUTS })
  // What tests have written: the page of the audit log must have words for all of it.
  const withoutWords = new Set<string>()
  const noteWords = async () => (await auditWithoutWords(db)).forEach((one) => withoutWords.add(one))
  afterAll(async () => {
    await noteWords()
    expect([...withoutWords].toSorted(), 'fields and values without words in site/admin/audit').toEqual([])
    await close()
    await dropDatabase(adminUrl, name)
  })
  return {
    db,
    pool,
    url,
    async reset() {
      await noteWords()
      await dropDatabase(adminUrl, name)
      while (pool.totalCount > 0) await sleep(2)
      await cloneDatabase(adminUrl, name)
    },
  }
}

/** A database without a pool (migrated, or a copy of `template`), for tests that start a whole server or migrate. */
export async function newDatabase({ template = TEMPLATE }: { template?: string } = {}): Promise<TestDatabase> {
  const adminUrl = await adminUrlOfCluster()
  const name = newName()
  await cloneDatabase(adminUrl, name, template)
  return { url: withDatabase(adminUrl, name), drop: () => dropDatabase(adminUrl, name) }
}

/** The address of the run's own PostgreSQL, for its role that may create databases. */
export function adminUrlOfCluster(): Promise<string> {
  return shared('cluster')
}

function newName(): string {
  return `t_${randomBytes(6).toString('hex')}`
}

/** Resolves when so many sessions of the database wait for a lock. */
export async function untilLockWait(db: Db, count = 1): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waiting.execute(db)).rows.length < count) await sleep(10)
}
