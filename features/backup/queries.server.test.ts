import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { isBackupFileMissing, isCheckMissing, isLate, lastBackup, listBackupRuns, readPastRuns } from './queries.server.ts'
import { BACKUP_LOCK } from './runs.server.ts'

const { db } = await testDb()

const at = (hour: number) => new Date(Date.UTC(2026, 10, 23, hour))
const file = (hour: number) => ({
  file_name: `khamar-${hour}.backup`,
  size_bytes: 1000 + hour,
  checksum: 'ab'.repeat(32),
  sums: JSON.stringify({ orders: hour }),
})

it('answers the newest complete backup that still exists', async () => {
  expect(await lastBackup(db, at(9))).toBeNull()
  const run = { started_by: 'schedule' as const, target: '/backups' }
  await db
    .insertInto('backup_runs')
    .values([
      { ...run, ...file(2), started_at: at(1), finished_at: at(2), state: 'done', verified_at: at(2) },
      { ...run, ...file(4), started_at: at(3), finished_at: at(4), state: 'done', deleted_at: at(5) },
      { ...run, started_at: at(5), finished_at: at(6), state: 'failed', error: 'The disk is full.' },
      { ...run, started_at: at(7) },
    ])
    .execute()
  expect(await lastBackup(db, at(9))).toEqual({
    id: 1,
    startedAt: at(1),
    finishedAt: at(2),
    fileName: 'khamar-2.backup',
    sizeBytes: 1002,
    target: '/backups',
    isVerified: true,
  })
})

it('a run is listed as running while its process has the lock; one whose process was killed has failed', async () => {
  const { id } = await db
    .insertInto('backup_runs')
    .values({ started_by: 'admin', target: '/backups', started_at: at(8) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const newest = async () => {
    const run = (await listBackupRuns(db)).find((one) => one.id === id)
    return [run?.state, run?.error]
  }
  expect(await newest()).toEqual(['failed', 'The process ended before the backup was complete.'])
  await db.connection().execute(async (backup) => {
    await sql`select pg_advisory_lock(${BACKUP_LOCK}::bigint)`.execute(backup)
    expect(await newest()).toEqual(['running', null])
    await sql`select pg_advisory_unlock(${BACKUP_LOCK}::bigint)`.execute(backup)
  })
  await db.deleteFrom('backup_runs').where('id', '=', id).execute()
})

it('a backup that a wrong clock dated years ahead hides no later one, and no missing one', async () => {
  const ahead = new Date('2036-01-01T00:00:00Z')
  await db
    .insertInto('backup_runs')
    .values({ ...file(1), started_by: 'schedule', target: '/backups', started_at: ahead, finished_at: ahead, state: 'done' })
    .execute()
  expect((await lastBackup(db, at(9)))?.startedAt).toEqual(at(1))
  expect(await readPastRuns(db, at(9))).toEqual({ lastDone: at(3), lastTried: at(7) })
  expect([await isLate(db, at(9)), await isLate(db, at(30))]).toEqual([false, true])
  await db.deleteFrom('backup_runs').where('started_at', '=', ahead).execute()
})

it('a check is missing when the newest backup of the shop itself has none, whatever commands made after it', async () => {
  const run = { state: 'done' as const, target: '/backups' }
  const add = (hour: number, started_by: 'schedule' | 'command', isVerified: boolean) =>
    db
      .insertInto('backup_runs')
      .values({ ...run, ...file(hour), started_by, started_at: at(hour), finished_at: at(hour), verified_at: isVerified ? at(hour) : null })
      .execute()
  await add(10, 'schedule', true)
  await add(11, 'command', false)
  expect(await isCheckMissing(db)).toBe(false)
  await add(12, 'schedule', false)
  await add(13, 'command', true)
  expect(await isCheckMissing(db)).toBe(true)
})

it.each<[string, { state?: 'done' | 'failed'; error?: string; finished_at: Date; verified_at?: Date }, string]>([
  ['a complete one without its file', { state: 'done', finished_at: at(2) }, 'backup_runs_done'],
  ['a failed one without its reason', { state: 'failed', finished_at: at(2) }, 'backup_runs_failed'],
  ['a running one that has ended', { finished_at: at(2) }, 'backup_runs_finished'],
  ['a verified one that failed', { state: 'failed', error: 'x', finished_at: at(2), verified_at: at(2) }, 'backup_runs_ends'],
])('the table rejects %s', async (_what, fields, constraint) => {
  const write = db.insertInto('backup_runs').values({ started_at: at(1), started_by: 'command', target: '/b', ...fields })
  await expect(write.execute()).rejects.toMatchObject({ constraint })
})

it('backups of commands alone count as checked when one of them was', async () => {
  await db.deleteFrom('backup_runs').execute()
  expect(await isCheckMissing(db)).toBe(false)
  const run = { state: 'done' as const, target: '/mnt/usb', started_by: 'command' as const }
  await db
    .insertInto('backup_runs')
    .values({ ...run, ...file(1), started_at: at(1), finished_at: at(1) })
    .execute()
  expect(await isCheckMissing(db)).toBe(true)
  await db
    .insertInto('backup_runs')
    .values({ ...run, ...file(2), started_at: at(2), finished_at: at(2), verified_at: at(2) })
    .execute()
  expect(await isCheckMissing(db)).toBe(false)
})

it('a backup of the shop is gone when its folder does not hold the file; buckets and commands are not asked', async () => {
  await db.deleteFrom('backup_runs').execute()
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-backups-'))
  const add = (hour: number, target: string, started_by: 'schedule' | 'command') =>
    db
      .insertInto('backup_runs')
      .values({ ...file(hour), state: 'done', target, started_by, started_at: at(hour), finished_at: at(hour) })
      .execute()
  await add(1, folder, 'schedule')
  expect(await isBackupFileMissing(db)).toBe(true)
  await writeFile(path.join(folder, file(1).file_name), '')
  await add(2, '/mnt/unplugged', 'command')
  expect(await isBackupFileMissing(db)).toBe(false)
  await rm(folder, { recursive: true })
  expect(await isBackupFileMissing(db)).toBe(true)
  await add(3, 's3://bucket/khamar', 'schedule')
  expect(await isBackupFileMissing(db)).toBe(false)
})
