import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openDb } from '#lib/db/db.server.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { newDatabase } from '#test/db.ts'
import { runBackup } from './run-backup.server.ts'

it('refuses a database from before backups were recorded, and leaves nothing', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-backup-'))
  const { url, drop } = await newDatabase({ template: 'template1' })
  const database = openDb(url, { max: 2 })
  try {
    const backup = runBackup({
      database,
      uploads: openUploads(uploadsFolder(folder)),
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

it('a backup that a wrong clock dated years ahead does not push out the new ones', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-backup-'))
  const { url, drop } = await newDatabase()
  const database = openDb(url, { max: 2 })
  const deleted: string[] = []
  const target = {
    name: folder,
    draftFolder: folder,
    store: (draft: string) => rm(draft),
    read: async () => null,
    localPath: () => null,
    delete: async (name: string) => void deleted.push(name),
    close() {},
  }
  const backUp = (day: string) =>
    runBackup({
      database,
      uploads: openUploads(uploadsFolder(folder)),
      target,
      startedBy: 'schedule',
      actorId: null,
      now: () => new Date(`${day}T00:00:00Z`),
      retention: { daily: 1, weekly: 0, monthly: 0 },
      verify: async () => true,
      warn: () => {},
    })
  try {
    for (const day of ['2036-01-01', '2026-11-20', '2026-11-21']) expect(await backUp(day)).toMatchObject({ ok: true })
    expect(deleted).toEqual([expect.stringContaining('khamar-2026-11-20')])
  } finally {
    await database.close()
    await drop()
    await rm(folder, { recursive: true })
  }
})
