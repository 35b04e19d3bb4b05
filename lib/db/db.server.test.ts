import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/db.ts'
import { constraintOf, inTransaction, isDatabaseAway, openDb, type OpenDatabase } from './db.server.ts'

let database: TestDatabase
let opened: OpenDatabase

beforeAll(async () => {
  database = await newDatabase({ template: 'template1' })
  opened = openDb(database.url, { max: 4 })
  await opened.pool.query('create table cows (tag int8 primary key check (tag > 0))')
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error) => error,
  )
}

async function untilSleeping(): Promise<void> {
  const sleepers = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
  while ((await opened.pool.query(sleepers)).rows.length === 0) await sleep(10)
}

async function tags(): Promise<unknown[]> {
  const { rows } = await opened.pool.query('select tag from cows order by tag')
  return rows.map((row) => row.tag)
}

describe('values from the database', () => {
  it('are numbers, texts, days and instants', async () => {
    const { rows } = await opened.pool.query(
      `select 9007199254740991::int8 as big, 78000.50::numeric as amount, date '2025-04-29' as day,
              timestamptz '2025-04-29 12:00+06' as instant, array[1, null]::int8[] as bigs, array[date '2025-04-29'] as days`,
    )
    expect(rows).toEqual([
      {
        big: 9007199254740991,
        amount: '78000.50',
        day: '2025-04-29',
        instant: new Date('2025-04-29T06:00:00Z'),
        bigs: [1, null],
        days: ['2025-04-29'],
      },
    ])
  })

  it('throw when a number is too large to be exact', async () => {
    expect(await failureOf(opened.pool.query('select 9007199254740993::int8 as big'))).toBeInstanceOf(RangeError)
    expect(await tags()).toEqual([])
  })

  it('come from a session with timeouts', async () => {
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone']
    const { rows } = await opened.pool.query(`select current_setting(name) as value from unnest($1::text[]) as name`, [names])
    expect(rows.map((row) => row.value)).toEqual(['5s', '3s', '10s', 'UTC'])
  })
})

it('a session does not depend on the defaults of its server, database and role', async () => {
  const other = await newDatabase({ template: 'template1' })
  const name = new URL(other.url).pathname.slice(1)
  const defaults = {
    datestyle: "'SQL, DMY'",
    intervalstyle: "'sql_standard'",
    timezone: "'Asia/Dhaka'",
    bytea_output: "'escape'",
    extra_float_digits: '-3',
    standard_conforming_strings: 'off',
    default_transaction_isolation: "'serializable'",
    statement_timeout: "'7h'",
    idle_session_timeout: '1000',
  }
  for (const [setting, value] of Object.entries(defaults)) await opened.pool.query(`alter database ${name} set ${setting} = ${value}`)
  const own = openDb(`${other.url}${other.url.includes('?') ? '&' : '?'}options=-c%20search_path%3Dpg_catalog`, { max: 1 })
  const { rows } = await own.pool.query(
    `select timestamptz '2025-04-29 12:00+06' as instant, date '2025-04-29' as day, '12/11/2026'::date as typed, 0.1::float8 + 0.2 as sum,
            '\\d' as pattern, '\\xff00'::bytea as bytes, interval '1 day 2 hours' as span, current_setting('transaction_isolation') as isolation,
            current_setting('statement_timeout') as timeout, current_setting('idle_session_timeout') as idle, current_schema() as schema`,
  )
  await own.close()
  await other.drop()
  expect(rows[0]).toMatchObject({
    instant: new Date('2025-04-29T06:00:00Z'),
    day: '2025-04-29',
    typed: '2026-12-11',
    sum: 0.30000000000000004,
    pattern: '\\d',
    bytes: Buffer.from([255, 0]),
    span: { days: 1, hours: 2 },
    isolation: 'read committed',
    timeout: '5s',
    idle: '0',
    schema: 'pg_catalog',
  })
})

describe('inTransaction', () => {
  it('commits all or nothing', async () => {
    const failing = inTransaction(opened.db, async (tx) => {
      await sql`insert into cows values (1)`.execute(tx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await tags()).toEqual([])
  })

  it('inside another transaction rolls back only its own part', async () => {
    await inTransaction(opened.db, async (tx) => {
      await sql`insert into cows values (1)`.execute(tx)
      await inTransaction(tx, async (inner) => {
        await sql`insert into cows values (2)`.execute(inner)
        const third = inTransaction(inner, (innermost) => sql`insert into cows values (2)`.execute(innermost))
        expect(constraintOf(await failureOf(third))).toBe('cows_pkey')
        await sql`insert into cows values (4)`.execute(inner)
      })
    })
    expect(await tags()).toEqual([1, 2, 4])
  })
})

describe('two transactions that deadlock', () => {
  it('both commit: the one that PostgreSQL aborts is retried', async () => {
    await opened.pool.query(
      'drop table if exists pens; create table pens (id int primary key, n int); insert into pens values (1, 0), (2, 0)',
    )
    let met = 0
    let runs = 0
    const both = (first: number, second: number) =>
      inTransaction(opened.db, async (tx) => {
        runs += 1
        const add = (id: number) => sql`update pens set n = n + 1 where id = ${id}`.execute(tx)
        await add(first)
        met += 1
        while (met < 2) await sleep(5)
        await add(second)
      })
    await Promise.all([both(1, 2), both(2, 1)])
    expect((await opened.pool.query('select n from pens')).rows).toEqual([{ n: 2 }, { n: 2 }])
    // Rarely 4: the retry can take the freed row before the other transaction is awake, and they deadlock again.
    expect(runs).toBeGreaterThan(2)
  })

  it('an error of another kind is thrown without a retry', async () => {
    let runs = 0
    const failing = inTransaction(opened.db, async (tx) => {
      runs += 1
      await sql`select 1/0`.execute(tx)
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(runs).toBe(1)
  })
})

describe('the kind of an error', () => {
  it('is a constraint violation with the name of the constraint', async () => {
    const failed = await failureOf(opened.pool.query('insert into cows values (0)'))
    expect(constraintOf(failed)).toBe('cows_tag_check')
    expect(isDatabaseAway(failed)).toBe(false)
    expect(constraintOf(await failureOf(opened.pool.query('select 1/0')))).toBeNull()
    expect(constraintOf(new Error('x'))).toBeNull()
  })

  it('is an unreachable database, and the process survives it', async () => {
    const nowhere = openDb('postgresql://khamar:x@127.0.0.1:1/khamar')
    expect(isDatabaseAway(await failureOf(nowhere.pool.query('select 1')))).toBe(true)
    const noSocket = openDb('postgresql://khamar:x@localhost/khamar?host=%2Fnowhere')
    expect(isDatabaseAway(await failureOf(noSocket.pool.query('select 1')))).toBe(true)
    await Promise.all([nowhere.close(), noSocket.close()])

    const errors: Error[] = []
    const cut = openDb(database.url, { max: 2, onError: (error) => errors.push(error) })
    const other = await cut.pool.connect()
    const running = failureOf(cut.pool.query('select pg_sleep(5)'))
    await untilSleeping()
    await opened.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
                             where datname = current_database() and pid <> pg_backend_pid()`)
    expect(isDatabaseAway(await running)).toBe(true)
    expect(isDatabaseAway(await failureOf(other.query('select 1')))).toBe(true)
    other.release(true)
    expect((await cut.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await cut.close()
  })

  it('is an unreachable database when the pool has no free connection', async () => {
    const narrow = openDb(database.url, { max: 1 })
    const taken = await narrow.pool.connect()
    expect(isDatabaseAway(await failureOf(narrow.pool.query('select 1')))).toBe(true)
    taken.release()
    await narrow.close()
  })

  it('is not an unreachable database for a bug', () => {
    expect(isDatabaseAway(new TypeError('x is not a function'))).toBe(false)
    expect(isDatabaseAway(new Error('outer', { cause: Object.assign(new Error('x'), { code: '57P01' }) }))).toBe(true)
    expect(isDatabaseAway('ECONNREFUSED')).toBe(false)
  })
})
