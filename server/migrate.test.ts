import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/db.ts'
import { createSchema, migrate } from './migrate.ts'
import { EQUIVALENT_CHECKSUMS, RENUMBERED } from './renumbered-migrations.ts'

const opened: TestDatabase[] = []
const folders: string[] = []
afterAll(async () => {
  await Promise.all(opened.map((database) => database.drop()))
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
})

async function emptyDatabase(): Promise<string> {
  const database = await newDatabase({ template: 'template1' })
  opened.push(database)
  return database.url
}

async function migrationsDir(files: Record<string, string>): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'khamar-migrations-'))
  folders.push(dir)
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text)
  return dir
}

/** A session that a failed test may leave open: the drop of its database ends it. */
async function connect(url: string, name?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function query(url: string, text: string) {
  const client = await connect(url)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const FIRST = { '0001_cows.sql': 'create table cows (id int primary key); insert into cows values (1);' }
const BOTH = { ...FIRST, '0002_goats.sql': 'create table goats (id int primary key);' }

describe('migrate', () => {
  it('logs slow steps and the wait for another process too', async () => {
    const url = await emptyDatabase()
    await migrate(url, { dir: await migrationsDir(FIRST) })
    const dir = await migrationsDir({ ...BOTH, '0003_slow.sql': 'select pg_sleep(4)' })
    const said: string[][] = [[], []]
    await Promise.all(said.map((lines) => migrate(url, { dir, log: (line) => lines.push(line) })))
    expect(said.toSorted((a, b) => a.length - b.length || a.join().localeCompare(b.join()))).toEqual([
      ['Another process is bringing the database up to date; waiting for it…'],
      ['Bringing the database up to date, once: 0003_slow (2 of 2)…'],
    ])
  })

  it('applies what is missing, in order, once', async () => {
    const url = await emptyDatabase()
    expect(await migrate(url, { dir: await migrationsDir(FIRST) })).toEqual({ applied: ['0001_cows'] })
    const dir = await migrationsDir(BOTH)
    expect(await migrate(url, { dir })).toEqual({ applied: ['0002_goats'] })
    expect(await migrate(url, { dir })).toEqual({ applied: [] })
    expect(await query(url, 'select name from schema_migrations order by name')).toEqual([{ name: '0001_cows' }, { name: '0002_goats' }])
  })

  it('lets several processes start at once', async () => {
    const url = await emptyDatabase()
    const dir = await migrationsDir({ ...BOTH, '0003_wait.sql': 'select pg_sleep(0.2);' })
    const results = await Promise.all(Array.from({ length: 5 }, () => migrate(url, { dir })))
    expect(results.map((result) => result.applied.length).sort()).toEqual([0, 0, 0, 0, 3])
    expect(await query(url, 'select id from cows')).toEqual([{ id: 1 }])
  })

  it('vacuums the tables that it may have rewritten; not those of a new database', async () => {
    const url = await emptyDatabase()
    const counts = async () =>
      (
        await query(
          url,
          "select vacuum_count::int as vacuumed, analyze_count::int as analyzed from pg_stat_user_tables where relname = 'cows'",
        )
      )[0]
    await migrate(url, { dir: await migrationsDir(FIRST) })
    expect(await counts()).toEqual({ vacuumed: 0, analyzed: 0 })
    const dir = await migrationsDir({
      ...FIRST,
      '0002_legs.sql': 'alter table cows add column legs int generated always as (4 * id) stored;',
    })
    await migrate(url, { dir })
    await expect.poll(counts).toEqual({ vacuumed: 1, analyzed: 1 })
    await migrate(url, { dir })
    expect(await counts()).toEqual({ vacuumed: 1, analyzed: 1 })
  })

  it('killed in the middle: nothing of the migration remains, and the next start applies it without waiting for the old one', async () => {
    const url = await emptyDatabase()
    await migrate(url, { dir: await migrationsDir(FIRST) })
    const second = 'create table goats (id int primary key); update cows set id = 2;'
    const slow = { ...FIRST, '0002_goats.sql': `${second} select pg_sleep(60);` }
    const script = path.resolve(import.meta.dirname, '../test/fixtures/migrate.ts')
    const killed = spawn(process.execPath, [script, url, await migrationsDir(slow)], { stdio: 'ignore' })
    const ended = once(killed, 'close')
    const sleeping = `select 1 as one from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    await expect.poll(() => query(url, sleeping)).toEqual([{ one: 1 }])
    killed.kill('SIGKILL')
    await ended

    const startedAt = performance.now()
    expect(await migrate(url, { dir: await migrationsDir({ ...FIRST, '0002_goats.sql': second }) })).toEqual({ applied: ['0002_goats'] })
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(await query(url, 'select id from cows')).toEqual([{ id: 2 }])
  })

  it('is repeated when it was ended by a deadlock with a running process', async () => {
    const url = await emptyDatabase()
    const tables = { '0001_cows.sql': 'create table cows (id int); create table goats (id int); create sequence tries;' }
    await migrate(url, { dir: await migrationsDir(tables) })
    const other = await connect(url)
    await other.query('begin; lock table goats')
    // PostgreSQL looks for a deadlock once in each wait, a second after its begin. The other process has looked before the migration waits.
    const otherHasLooked = `select from pg_locks where relation = 'cows'::regclass and waitstart < clock_timestamp() - interval '2 seconds'`
    const text = `alter table cows add age int;
      do $$ begin
        if nextval('tries') = 1 then while not exists (${otherHasLooked}) loop perform pg_sleep(0.02); end loop; end if;
      end $$;
      alter table goats add age int;`
    const migrating = migrate(url, { dir: await migrationsDir({ ...tables, '0002_more.sql': text }) })
    const altered = `select 1 as one from pg_locks where relation = 'cows'::regclass and mode = 'AccessExclusiveLock' and granted`
    await expect.poll(() => query(url, altered), { interval: 10 }).toEqual([{ one: 1 }])
    await other.query('lock table cows')
    await other.query('commit')
    await other.end()
    expect(await migrating).toEqual({ applied: ['0002_more'] })
    expect(await query(url, 'select last_value::int as tries from tries')).toEqual([{ tries: 2 }])
  })

  it('gives up when its tables stay locked, names who holds them, and changes nothing', async () => {
    const url = await emptyDatabase()
    await migrate(url, { dir: await migrationsDir(FIRST) })
    const holder = await connect(url, 'khamar-backup')
    await holder.query('begin; lock table cows in access share mode')
    const dir = await migrationsDir({ ...FIRST, '0002_legs.sql': 'create table goats (id int); alter table cows add legs int;' })
    const lines: string[] = []
    const lockWait = { limitMs: 2_000, pauseMs: 100 }
    // Meanwhile the clock is set, by an hour each time that it is read: the wait is as long as without.
    let hours = 0
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => ++hours * 3_600_000)
    const failure = await migrate(url, { dir, lockWait, log: (line) => lines.push(line) }).catch((error) => error)
    clock.mockRestore()
    await holder.end()
    expect(failure.message).toMatch(
      /^The migration 0002_legs was undone: its tables stayed locked for 2 seconds by khamar-backup \(database process \d+\)$/,
    )
    expect(lines.filter((line) => line.includes('waits for khamar-backup')).length).toBe(1)
    expect(await query(url, `select to_regclass('goats') as goats`)).toEqual([{ goats: null }])
    expect(await migrate(url, { dir })).toEqual({ applied: ['0002_legs'] })
  })

  it('undoes a failed migration whole and names it', async () => {
    const url = await emptyDatabase()
    const dir = await migrationsDir({ ...FIRST, '0002_bad.sql': 'create table goats (id int); select 1/0;' })
    await expect(migrate(url, { dir })).rejects.toThrow('The migration 0002_bad failed and was undone: division by zero')
    expect(await query(url, `select to_regclass('goats') as goats, to_regclass('cows')::text as cows`)).toEqual([
      { goats: null, cows: 'cows' },
    ])
  })

  const refused: [string, Record<string, string>, string][] = [
    ['a changed file', { '0001_cows.sql': 'create table bulls (id int);' }, 'was changed after it was applied'],
    ['a missing file', { '0002_goats.sql': 'select 1;' }, 'newer than this copy of Khamar'],
    ['a late file', { ...FIRST, '0000_early.sql': 'select 1;' }, 'comes before 0001_cows'],
    ['two of one number', { ...FIRST, '0001_hens.sql': 'select 1;' }, 'Two migrations have the number 0001'],
    ['an odd name', { ...FIRST, 'hens.sql': 'select 1;' }, 'not named like'],
  ]
  it.each(refused)('refuses %s in one line', async (_what, files, text) => {
    const url = await emptyDatabase()
    await migrate(url, { dir: await migrationsDir(FIRST) })
    const failure = await migrate(url, { dir: await migrationsDir(files) }).catch((error) => error)
    expect(failure.name).toBe('MigrationError')
    expect(failure.message).toContain(text)
    expect(failure.message).not.toContain('\n')
  })

  it('does not mind line ends of another system', async () => {
    const url = await emptyDatabase()
    await migrate(url, { dir: await migrationsDir({ '0001_cows.sql': 'create table cows (\n id int);' }) })
    const dir = await migrationsDir({ '0001_cows.sql': 'create table cows (\r\n id int);' })
    expect(await migrate(url, { dir })).toEqual({ applied: [] })
  })
})

describe('a migration that is marked "-- concurrently"', () => {
  const COWS = { '0001_cows.sql': 'create table cows (id int); insert into cows select generate_series(1, 1000);' }
  const INDEXES = `-- concurrently
    create index if not exists cows_id on cows (id); -- A comment; with a semicolon.
    create unique index if not exists cows_twice on cows ((id * 2)) where id > 5;`
  const BOTH_INDEXES = { ...COWS, '0002_indexes.sql': INDEXES }
  const valid = (url: string) =>
    query(url, `select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'cows'::regclass order by 1`)
  const all = [
    { name: 'cows_id', valid: true },
    { name: 'cows_twice', valid: true },
  ]

  it('builds its indexes while rows are written, also when several processes start at once', async () => {
    const url = await emptyDatabase()
    await migrate(url, { dir: await migrationsDir(COWS) })
    const writer = await connect(url)
    await writer.query('begin; insert into cows values (2000)')
    const dir = await migrationsDir(BOTH_INDEXES)
    const migrating = Promise.all([migrate(url, { dir }), migrate(url, { dir })])
    const waiting = `select 1 as one from pg_stat_activity where datname = current_database() and query like 'create index%' and wait_event_type = 'Lock'`
    await expect.poll(() => query(url, waiting), { interval: 10 }).toEqual([{ one: 1 }])
    // A table that is locked for an ordinary index refuses this row.
    await query(url, 'set lock_timeout = 1000; insert into cows values (2001)')
    await writer.query('commit')
    await writer.end()
    expect((await migrating).flatMap(({ applied }) => applied)).toEqual(['0002_indexes'])
    expect(await valid(url)).toEqual(all)
  })

  it('killed in the middle: the next start drops the invalid index and builds it again', async () => {
    const url = await emptyDatabase()
    await migrate(url, { dir: await migrationsDir(COWS) })
    const reader = await connect(url)
    // The index is built and waits for the end of this snapshot.
    await reader.query('begin isolation level repeatable read; select 1 from cows')
    const dir = await migrationsDir(BOTH_INDEXES)
    const script = path.resolve(import.meta.dirname, '../test/fixtures/migrate.ts')
    const killed = spawn(process.execPath, [script, url, dir], { stdio: 'ignore' })
    const ended = once(killed, 'close')
    await expect.poll(() => valid(url)).toEqual([{ name: 'cows_id', valid: false }])
    killed.kill('SIGKILL')
    await ended
    await reader.end()
    expect(await migrate(url, { dir })).toEqual({ applied: ['0002_indexes'] })
    expect(await valid(url)).toEqual(all)
  })

  it('refuses other statements, and runs as it is in the transaction of a restore', async () => {
    const url = await emptyDatabase()
    const dir = await migrationsDir({ ...COWS, '0002_more.sql': '-- concurrently\nalter table cows add legs int;' })
    await expect(migrate(url, { dir })).rejects.toThrow('0002_more failed, and the next start goes on with it: a migration marked')
    const client = await connect(await emptyDatabase())
    await client.query('begin')
    await createSchema(client, 2, await migrationsDir(BOTH_INDEXES))
    await client.query('commit')
    await client.end()
  })
})

describe('a database that applied migrations under their former numbers', () => {
  const renumbered = async () => {
    const database = await newDatabase()
    opened.push(database)
    for (const [former, name] of Object.entries(RENUMBERED))
      await query(database.url, `update schema_migrations set name = '${former}' where name = '${name}'`)
    for (const [name, checksum] of Object.entries(EQUIVALENT_CHECKSUMS))
      await query(database.url, `update schema_migrations set checksum = '${checksum}' where name = '${name}'`)
    return database.url
  }

  it('is up to date, and records the present numbers', async () => {
    const url = await renumbered()
    expect(await migrate(url)).toEqual({ applied: [] })
    const names = (await query(url, 'select name from schema_migrations')).map(({ name }) => name as string)
    expect(names).toEqual(expect.arrayContaining(Object.values(RENUMBERED)))
    expect(names.filter((name) => name in RENUMBERED)).toEqual([])
  })

  it('is rejected when the text was another one', async () => {
    const url = await renumbered()
    await query(url, `update schema_migrations set checksum = 'other' where name = '0097_amount_due'`)
    await expect(migrate(url)).rejects.toThrow('it has the migration 0097_amount_due')
  })
})
