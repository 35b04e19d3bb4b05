import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDb } from '#lib/db/db.server.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { newDatabase } from '#test/db.ts'
import { runBackup } from './run-backup.server.ts'
import { openTarget } from './target.server.ts'

/** A shop, and a function that backs it up to a folder. */
async function openShop() {
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-backup-'))
  const dataDir = path.join(folder, 'data')
  await mkdir(dataDir)
  const { url, drop } = await newDatabase()
  const database = openDb(url, { max: 2 })
  onTestFinished(async () => {
    await database.close()
    await drop()
    await rm(folder, { recursive: true })
  })
  const backUp = (backupTo: string, retention: { daily: number; weekly: number; monthly: number } | null) =>
    runBackup({
      database,
      uploads: openUploads(uploadsFolder(dataDir)),
      dataDir,
      target: openTarget({ backupTo, dataDir, s3: null }),
      startedBy: 'schedule',
      actorId: null,
      now: () => new Date(),
      retention,
      verify: async () => true,
      warn: (error) => expect.unreachable(String(error)),
    })
  return { folder, dataDir, database, backUp }
}

const RETENTION = { daily: 7, weekly: 5, monthly: 12 }

it('a backup to a disk that is not mounted is refused, recorded, and writes nothing beside it', async () => {
  const { folder, database, backUp } = await openShop()
  const [disk, away] = [path.join(folder, 'disk'), path.join(folder, 'away')]
  expect(await backUp(disk, RETENTION)).toMatchObject({ ok: true })
  // Without its disk the folder is there, and empty.
  await rename(disk, away)
  await mkdir(disk)
  const message = `${disk}/khamar-backups.txt is missing: is the disk mounted? When it is the right folder, create this file.`
  await expect(backUp(disk, RETENTION)).rejects.toThrow(message)
  expect(await readdir(disk)).toEqual([])
  // The folder of a disk that mounts by itself may be gone too.
  await rm(disk, { recursive: true })
  await expect(backUp(disk, RETENTION)).rejects.toThrow(message)
  const runs = await database.db.selectFrom('backup_runs').select(['state', 'error']).orderBy('id').execute()
  expect(runs.slice(1)).toEqual([
    { state: 'failed', error: message },
    { state: 'failed', error: message },
  ])
  await rename(away, disk)
  expect(await backUp(disk, RETENTION)).toMatchObject({ ok: true })
  expect(await readdir(disk)).toHaveLength(2)
})

it('a new disk is accepted with the file that the message names, which is not written again: it may be of another user', async () => {
  const { folder, dataDir, backUp } = await openShop()
  const disk = path.join(folder, 'disk')
  await backUp(disk, RETENTION)
  await rm(disk, { recursive: true })
  await mkdir(disk)
  await writeFile(path.join(disk, 'khamar-backups.txt'), '')
  expect(await backUp(disk, RETENTION)).toMatchObject({ ok: true })
  await rm(path.join(dataDir, 'backup-folder'))
  expect(await backUp(disk, RETENTION)).toMatchObject({ ok: true })
  expect(await readFile(path.join(disk, 'khamar-backups.txt'), 'utf8')).toBe('')
})

it('the default folder and one of --to need no file', async () => {
  const { folder, dataDir, backUp } = await openShop()
  for (const [to, retention] of [
    [path.join(dataDir, 'backups'), RETENTION],
    [path.join(folder, 'usb'), null],
  ] as const) {
    for (let times = 0; times < 2; times++) {
      expect(await backUp(to, retention)).toMatchObject({ ok: true })
      expect(await readdir(to)).toEqual([expect.stringMatching(/^khamar-.*\.khamar-backup$/)])
      await rm(to, { recursive: true })
    }
  }
})

it('another BACKUP_TO begins with a folder of its own', async () => {
  const { folder, backUp } = await openShop()
  for (const name of ['first', 'second', 'first']) expect(await backUp(path.join(folder, name), RETENTION)).toMatchObject({ ok: true })
})
