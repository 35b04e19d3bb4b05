import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { seedDemo } from '#db/demo/seed-demo.ts'
import { writeArchive } from '#features/backup/write-archive.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { migrate } from '#server/migrate.ts'
import { newDatabase, testDb } from '#test/db.ts'
import { checkBackup, restoreBackup } from './restore.ts'

const { db, pool } = await testDb()
const folder = await mkdtemp(path.join(tmpdir(), 'khamar-backup-'))
afterAll(() => rm(folder, { recursive: true }))
await seedDemo(db, { dataDir: folder, now: new Date(), store: async () => {}, videos: false })
await mkdir(path.join(folder, 'uploads'), { recursive: true })
await writeFile(path.join(folder, 'uploads', 'cow-400.webp'), 'a cow')
const file = path.join(folder, 'one.khamar-backup')
const client = await pool.connect()
const written = await writeArchive(client, { file, dataDir: folder, now: new Date() })
client.release()

it('restores', async () => {
  console.log(written.bytes)
  const target = await newDatabase({ template: 'template1' })
  const other = openDb(target.url, { applicationName: 'khamar-restore' })
  const backup = await checkBackup(file)
  const totals = await restoreBackup(other.pool, backup, { uploads: path.join(folder, 'new'), replace: false })
  expect(totals).toEqual(written.totals)
  expect(await readFile(path.join(folder, 'new', 'cow-400.webp'), 'utf8')).toBe('a cow')
  await restoreBackup(other.pool, backup, { uploads: null, replace: true })
  await other.close()
  expect(await migrate(target.url)).toEqual({ applied: [] })
  await target.drop()
})
