import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openDb } from '#lib/db/db.server.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { newDatabase } from '#test/db.ts'
import { runBackup } from './run-backup.server.ts'
import { createRun } from './runs.server.ts'
import { openTarget } from './target.server.ts'
import { inSnapshot } from './write-archive.server.ts'

it('refuses a database from before backups were recorded, and leaves nothing', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-backup-'))
  const { url, drop } = await newDatabase({ template: 'template1' })
  const database = openDb(url, { max: 2 })
  try {
    const backup = runBackup({
      database,
      uploads: openUploads(uploadsFolder(folder)),
      dataDir: folder,
      target: { name: folder, draftFolder: folder } as never,
      startedBy: 'command',
      actorId: null,
      now: () => new Date(),
      retention: null,
      verify: () => Promise.reject(new Error('not reached')),
      warn: () => {},
    })
    await expect(backup).rejects.toThrow(SettingsError)
    await expect(backup).rejects.toThrow('The database is of release 0.1.0, which has no backups.')
    expect(await readdir(folder)).toEqual([])
  } finally {
    await database.close()
    await drop()
    await rm(folder, { recursive: true })
  }
})

it('records the failure where the folder of BACKUP_TO cannot be made, so that staff see it and the next try waits', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-backup-'))
  const file = path.join(dataDir, 'usb')
  await writeFile(file, '')
  const { url, drop } = await newDatabase()
  const database = openDb(url, { max: 2 })
  try {
    const backup = async () =>
      runBackup({
        database,
        uploads: openUploads(uploadsFolder(dataDir)),
        dataDir,
        target: openTarget({ backupTo: path.join(file, 'backups'), dataDir, s3: null }),
        startedBy: 'schedule',
        actorId: null,
        now: () => new Date(),
        retention: null,
        verify: () => Promise.reject(new Error('not reached')),
        warn: () => {},
      })
    await expect(backup()).rejects.toThrow('mkdir')
    expect(await database.db.selectFrom('backup_runs').select(['state', 'error']).execute()).toEqual([
      { state: 'failed', error: expect.stringContaining(file) },
    ])
  } finally {
    await database.close()
    await drop()
    await rm(dataDir, { recursive: true })
  }
})

it('the next backup removes the drafts of killed ones, also from the folder of --to and of a bucket', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-backup-'))
  const [usb, nightly, drafts] = ['usb', 'nightly', 'backups'].map((name) => path.join(dataDir, name)) as [string, string, string]
  const { url, drop } = await newDatabase()
  const database = openDb(url, { max: 2 })
  try {
    for (const [index, [folder, target]] of [[usb, usb] as const, [drafts, 's3://shop/nightly'] as const].entries()) {
      const fileName = `khamar-2026-11-2${index}-000000000.khamar-backup`
      await mkdir(folder)
      await writeFile(path.join(folder, `${fileName}.part`), 'half')
      await createRun(database.db, { startedAt: new Date(), startedBy: 'command', actorId: null, target, fileName })
    }
    const backup = runBackup({
      database,
      uploads: openUploads(uploadsFolder(dataDir)),
      dataDir,
      target: openTarget({ backupTo: nightly, dataDir, s3: null }),
      startedBy: 'schedule',
      actorId: null,
      now: () => new Date(),
      retention: null,
      verify: async () => true,
      warn: () => {},
    })
    expect(await backup).toMatchObject({ ok: true })
    expect([await readdir(usb), await readdir(drafts)]).toEqual([[], []])
  } finally {
    await database.close()
    await drop()
    await rm(dataDir, { recursive: true })
  }
})

/** Backs up a shop on these days, with one backup retained. `remove` deletes a file of the target. */
async function backUpDaily(days: readonly string[], remove: (name: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-backup-'))
  const { url, drop } = await newDatabase()
  const database = openDb(url, { max: 2 })
  const target = {
    name: folder,
    draftFolder: folder,
    store: (draft: string) => rm(draft),
    read: async () => null,
    delete: remove,
    close() {},
  }
  try {
    for (const day of days) {
      const backup = runBackup({
        database,
        uploads: openUploads(uploadsFolder(folder)),
        dataDir: folder,
        target,
        startedBy: 'schedule',
        actorId: null,
        now: () => new Date(`${day}T00:00:00Z`),
        retention: { daily: 1, weekly: 0, monthly: 0 },
        verify: async () => true,
        warn: () => {},
      })
      expect(await backup).toMatchObject({ ok: true })
    }
  } finally {
    await database.close()
    await drop()
    await rm(folder, { recursive: true })
  }
}

it('a backup that a wrong clock dated years ahead does not push out the new ones', async () => {
  const deleted: string[] = []
  await backUpDaily(['2036-01-01', '2026-11-20', '2026-11-21'], async (name) => void deleted.push(name))
  expect(deleted).toEqual([expect.stringContaining('khamar-2026-11-20')])
})

it('an expired backup that cannot be deleted leaves none of the older ones', async () => {
  const deleted: string[] = []
  let tries = 0
  await backUpDaily(['2026-11-20', '2026-11-21', '2026-11-22'], async (name) => {
    tries += 1
    // The oldest one cannot be deleted at the first time, the one after it never.
    if (tries === 1 || name.includes('2026-11-21')) throw new Error('not permitted')
    deleted.push(name)
  })
  expect(deleted).toEqual([expect.stringContaining('khamar-2026-11-20')])
})

it('reads a table whole although a migration would rewrite it after the backup has begun', async () => {
  const { url, drop } = await newDatabase()
  const [backup, migration] = [openDb(url, { max: 1 }), openDb(url, { max: 1 })]
  const client = await backup.pool.connect()
  const countCategories = async () => (await client.query<{ count: number }>('select count(*) as count from categories')).rows[0]!.count
  try {
    const before = await countCategories()
    expect(before).toBeGreaterThan(0)
    const read = await inSnapshot(client, async () => {
      await client.query('select 1')
      const rewriting = migration.pool.query('set lock_timeout = 100; alter table categories add column rewritten float default random()')
      const code = await rewriting.then(
        () => null,
        (error: { code: string }) => error.code,
      )
      return { code, count: await countCategories() }
    })
    expect(read).toEqual({ code: '55P03', count: before })
  } finally {
    client.release()
    await Promise.all([backup.close(), migration.close()])
    await drop()
  }
})
