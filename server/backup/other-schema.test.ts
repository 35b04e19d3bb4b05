// A shop of a role with a search_path of its own, as administrators of shared databases give it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import type { Totals } from '#features/backup/archive/format.ts'
import { writeArchive } from '#features/backup/write-archive.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { migrate } from '#server/migrate.ts'
import { newDatabase } from '#test/db.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { withDatabaseOnServer } from './scratch-on-server.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'khamar-schema-'))
const database = await newDatabase({ template: 'template1' })
const url = `${database.url}${database.url.includes('?') ? '&' : '?'}options=-c%20search_path%3Dshop`
const { db, pool, close } = openDb(url, { applicationName: 'khamar-restore' })
afterAll(async () => {
  await close()
  await database.drop()
  await rm(folder, { recursive: true })
})
await sql`create schema shop`.execute(db)
await migrate(url)

async function backUp(name: string) {
  const client = await pool.connect()
  const options = { file: path.join(folder, name), uploads: openUploads(uploadsFolder(folder)), now: new Date() }
  const { totals } = await writeArchive(client, options).finally(() => client.release())
  return { backup: await checkBackup(options.file), totals }
}

async function restoreInto(where: string, backup: Awaited<ReturnType<typeof checkBackup>>): Promise<Totals> {
  const other = openDb(where, { applicationName: 'khamar-restore' })
  return restoreBackup(other.pool, backup, { uploads: null, replace: false }).finally(() => other.close())
}

it('is backed up, and restored in a database beside it and in the schema public', async () => {
  const { backup, totals } = await backUp('first')
  expect(totals.areas!.rows).toBeGreaterThan(0)
  expect(Object.keys(backup.contents.sequences)).toContain('orders_id_seq')
  expect(await withDatabaseOnServer(url, (scratch) => restoreInto(scratch, backup), console.error)).toEqual(totals)
  const target = await newDatabase({ template: 'template1' })
  // A start that fails at the first migration leaves its list.
  const failed = openDb(target.url, { max: 1 })
  await sql`create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`
    .execute(failed.db)
    .finally(failed.close)
  expect(await restoreInto(target.url, backup)).toEqual(totals)
  expect(await migrate(target.url)).toEqual({ applied: [] })
  await target.drop()
})

it('is replaced by a backup, and what is in other schemas stays', async () => {
  const { backup, totals } = await backUp('second')
  await sql`create table public.of_another (id int)`.execute(db)
  await sql`delete from areas`.execute(db)
  await expect(restoreBackup(pool, backup, { uploads: null, replace: false })).rejects.toThrow('The database is not empty.')
  expect(await restoreBackup(pool, backup, { uploads: null, replace: true })).toEqual(totals)
  const { rows } = await sql`select to_regclass('public.of_another') is not null as stays`.execute(db)
  expect(rows).toEqual([{ stays: true }])
})

it('is never an empty backup', async () => {
  await sql`create schema other`.execute(db)
  const other = openDb(url.replace('Dshop', 'Dother,shop'))
  const client = await other.pool.connect()
  const options = { file: path.join(folder, 'empty'), uploads: openUploads(uploadsFolder(folder)), now: new Date() }
  await expect(writeArchive(client, options).finally(() => client.release())).rejects.toThrow('has no tables of the shop')
  await other.close()
})
