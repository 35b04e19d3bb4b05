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
