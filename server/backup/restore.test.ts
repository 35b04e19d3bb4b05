import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { seedDemo } from '#db/demo/seed-demo.ts'
import { ArchiveWriter } from '#features/backup/archive/archive-writer.server.ts'
import { CONTENTS, MANIFEST, type Manifest } from '#features/backup/archive/format.ts'
import { readCatalog } from '#features/pos/catalog.server.ts'
import { BLOCKS_AT_ONCE, writeArchive } from '#features/backup/write-archive.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { schemaText } from '#scripts/schema/schema-text.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { migrate } from '#server/migrate.ts'
import { newDatabase, testDb } from '#test/db.ts'
import { fillWithRelease } from '#test/upgrade/release-0-1-0.ts'
import { checkBackup, restoreBackup } from './restore.ts'

const { db, pool, url } = await testDb()
const folder = await mkdtemp(path.join(tmpdir(), 'khamar-restore-'))
afterAll(() => rm(folder, { recursive: true }))
await seedDemo(db, { uploads: uploadsFolder(folder), now: new Date(), store: async () => {}, videos: false })
await mkdir(path.join(folder, 'uploads'), { recursive: true })
await writeFile(path.join(folder, 'uploads', 'cow-400.webp'), 'a cow')

let number = 0
async function backUp(from: typeof pool) {
  const file = path.join(folder, `${(number += 1)}.khamar-backup`)
  const client = await from.connect()
  const written = await writeArchive(client, { file, uploads: openUploads(uploadsFolder(folder)), now: new Date() })
  client.release()
  return { file, written }
}

const open = (where: string) => openDb(where, { applicationName: 'khamar-restore' })

/** The whole schema as text, triggers that are off, and the sequences. */
async function schemaOf(where: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: where })
  await client.connect()
  const list = async (text: string) => (await client.query(text)).rows
  const schema = [
    await schemaText(client),
    await list("select tgname from pg_trigger where tgenabled <> 'O'"),
    await list('select sequencename, last_value from pg_sequences order by 1'),
  ]
  await client.end()
  return schema
}

it('restores rows, sums, sequences and the whole schema, as the plain owner of the database', async () => {
  await sql`insert into sms_outbox (purpose, template, phone, body, state)
    select 'test', 'test', '01999999999', repeat('x', 700), 'submitted' from generate_series(1, 3000)`.execute(db)
  const { rows: sizes } = await sql<{ blocks: number }>`select (pg_relation_size('sms_outbox') / 8192)::int as blocks`.execute(db)
  expect(sizes[0]!.blocks).toBeGreaterThan(3 * BLOCKS_AT_ONCE)
  // Rows that move and go while they are written.
  const change = async () => {
    await sql`update sms_outbox set body = 'y' where id % 3 = 0`.execute(db)
    await sql`delete from sms_outbox where id % 5 = 0`.execute(db)
  }
  const [{ file, written }] = await Promise.all([backUp(pool), change()])
  const target = await newDatabase({ template: 'template1' })
  const other = open(target.url)
  const { rows } = await sql<{ rolsuper: boolean }>`select rolsuper from pg_roles where rolname = current_user`.execute(other.db)
  expect(rows).toEqual([{ rolsuper: false }])
  const totals = await restoreBackup(other.pool, await checkBackup(file), {
    uploads: openUploads(uploadsFolder(path.join(folder, 'new'))),
    replace: false,
  })
  expect(totals).toEqual(written.totals)
  expect(await readFile(path.join(folder, 'new', 'uploads', 'cow-400.webp'), 'utf8')).toBe('a cow')
  await other.close()
  expect(await migrate(target.url)).toEqual({ applied: [] })
  expect(await schemaOf(target.url)).toEqual(await schemaOf(url))
  await target.drop()
})

it('pauses running campaigns, as people may have got the SMS after the backup', async () => {
  await sql`with c as (insert into campaigns (name, text_bn, filter, total, parts_limit, started_by)
      select 'Eid', 'x', '', 1, 1, min(id) from users returning id),
      p as (insert into campaign_people (campaign_id, phone, customer_id, lang, state) select id, '01999999999', 1, 'bn', 'queued' from c)
    insert into sms_outbox (purpose, template, phone, body, campaign_id, expires_at)
    select 'campaign', 'campaign', '01999999999', 'x', id, now() + interval '1 day' from c`.execute(db)
  const { file } = await backUp(pool)
  await sql`delete from sms_outbox where purpose = 'campaign'`.execute(db)
  await sql`delete from campaigns`.execute(db)
  const target = await newDatabase({ template: 'template1' })
  const other = open(target.url)
  await restoreBackup(other.pool, await checkBackup(file), { uploads: null, replace: false })
  expect((await sql`select state from campaigns`.execute(other.db)).rows).toEqual([{ state: 'paused' }])
  await sql`update sms_outbox set state = 'failed' where state = 'queued' and purpose <> 'campaign'`.execute(other.db)
  expect((await sql`select * from claim_next_sms(100, 100)`.execute(other.db)).rows).toEqual([])
  await other.close()
  await target.drop()
})

it('replaces what another shop left, objects and rows', async () => {
  const { file, written } = await backUp(pool)
  const target = await newDatabase()
  const other = open(target.url)
  await sql`create table of_another (id int); create function of_another() returns int language sql as 'select 1'`.execute(other.db)
  const cursor = async () => (await readCatalog(other.db, null, null))!.since
  const before = await cursor()
  const totals = await restoreBackup(other.pool, await checkBackup(file), { uploads: null, replace: true })
  expect(totals).toEqual(written.totals)
  // Changes after the backup are undone, so devices at the counter load the whole catalog.
  await migrate(target.url)
  expect((await readCatalog(other.db, before, null))!.full).toBe(true)
  expect((await readCatalog(other.db, await cursor(), null))!.full).toBe(false)
  const { rows } = await sql`select to_regclass('of_another') as relation, to_regproc('of_another') as function`.execute(other.db)
  expect(rows).toEqual([{ relation: null, function: null }])
  await other.close()
  await target.drop()
})

it('replaces no tables of another program, whose database a mistyped name may be', async () => {
  const { file } = await backUp(pool)
  const target = await newDatabase({ template: 'template1' })
  const other = open(target.url)
  await sql`create table posts as select 1 as id`.execute(other.db)
  const backup = await checkBackup(file)
  for (const replace of [false, true])
    await expect(restoreBackup(other.pool, backup, { uploads: null, replace })).rejects.toThrow(
      'The database holds tables of another program (such as posts)',
    )
  expect((await sql`select id from posts`.execute(other.db)).rows).toEqual([{ id: 1 }])
  await other.close()
  await target.drop()
})

it('keeps a second restore, and a shop that starts meanwhile, out of the database', async () => {
  const { file } = await backUp(pool)
  const target = await newDatabase({ template: 'template1' })
  const other = open(target.url)
  const backup = await checkBackup(file)
  const restore = () => restoreBackup(other.pool, backup, { uploads: null, replace: false })
  const first = restore()
  const locks = sql`select 1 from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await locks.execute(other.db)).rows.length, { interval: 5 }).toBe(1)
  await expect(restore()).rejects.toThrow('Another process restores or migrates this database')
  // Waits for the lock, and finds the restored migrations.
  expect(await migrate(target.url)).toEqual({ applied: [] })
  await first
  await other.close()
  await target.drop()
})

it('restores a backup of release 0.1.0 and brings it up to date', async () => {
  const old = await newDatabase({ template: 'template1' })
  await fillWithRelease(old.url)
  const before = open(old.url)
  const { file, written } = await backUp(before.pool)
  await before.close()
  const target = await newDatabase({ template: 'template1' })
  const other = open(target.url)
  expect(await restoreBackup(other.pool, await checkBackup(file), { uploads: null, replace: false })).toEqual(written.totals)
  const { applied } = await migrate(target.url)
  expect(applied.length).toBeGreaterThan(20)
  const { rows } = await sql`select count(*)::int as n from orders`.execute(other.db)
  expect(rows).toEqual([{ n: written.totals.orders!.rows }])
  await other.close()
  await old.drop()
  await target.drop()
})

it('a row that breaks a reference, or sums that differ, roll everything back', async () => {
  const { file } = await backUp(pool)
  const backup = await checkBackup(file)
  const target = await newDatabase({ template: 'template1' })
  const other = open(target.url)
  const { tables } = backup.contents
  const changed = { ...backup, contents: { ...backup.contents, tables: { ...tables, areas: { ...tables.areas!, rows: 999 } } } }
  const restore = restoreBackup(other.pool, changed, { uploads: null, replace: false })
  await expect(restore).rejects.toThrow('The sums of areas are not those of the backup. Nothing was restored.')
  const { rows } = await sql`select tablename from pg_tables where schemaname = 'public'`.execute(other.db)
  expect(rows).toEqual([])
  await other.close()
  await target.drop()
})

/** A backup with a made-up description and valid checksums. */
async function forge(manifest: unknown, entries: [string, string][] = []): Promise<string> {
  const file = path.join(folder, `${(number += 1)}.khamar-backup`)
  const archive = new ArchiveWriter(file)
  await archive.add(MANIFEST, Buffer.from(JSON.stringify(manifest)))
  for (const [name, body] of entries) await archive.add(name, Buffer.from(body))
  await archive.add(CONTENTS, Buffer.from(JSON.stringify({ entries: archive.entries, tables: {}, sequences: {} })))
  await archive.finish()
  return file
}

const checksum = createHash('sha256').update('x').digest('hex')
const manifest: Manifest = { format: 1, createdAt: '', migrations: [{ name: '9999_later', checksum }], tables: [] }

it.each<[string, unknown, [string, string][], string]>([
  ['of a newer schema', manifest, [], 'The backup is newer than this copy of Khamar: it has the migration 9999_later. Update this copy.'],
  ['of a newer format', { ...manifest, format: 2 }, [], 'The backup was made by a newer version of Khamar'],
  ['with a table name that is none', { ...manifest, tables: [{ name: 'a"; drop', columns: ['a'] }] }, [], 'description cannot be read'],
  ['with a file outside of its folder', manifest, [['uploads/../../x', 'x']], 'unknown entry'],
  [
    'with an entry twice',
    manifest,
    [
      ['uploads/a', 'x'],
      ['uploads/a', 'y'],
    ],
    'an entry is there twice.',
  ],
])('a file %s is refused', async (_what, description, entries, message) => {
  await expect(checkBackup(await forge(description, entries))).rejects.toThrow(message)
})
