import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { BucketError, bucketErrorOf } from '#lib/files/bucket-error.server.ts'
import { checkArchive } from './archive/archive-reader.server.ts'
import { backupFailure } from './failure-rules.ts'
import { assertMounted } from './folder-marker.server.ts'
import { INTERRUPTED } from './runs.server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'khamar-failure-'))
const messageOf = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('no error')
}

it('knows the causes by the texts that a backup records', async () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, 'no backup')
  writeFileSync(path.join(folder, 'backup-folder'), path.join(folder, 'usb'))
  const texts: [string, string | null][] = [
    [await messageOf(() => mkdirSync(path.join(file, 'backups'))), 'no-folder'],
    [await messageOf(() => mkdirSync(path.join(folder, 'none', 'backups'))), 'no-folder'],
    [`EACCES: permission denied, mkdir '/mnt/backups'`, 'not-writable'],
    [`EACCES: permission denied, open '/backups/khamar-2026-12-01.part'`, 'not-writable'],
    [`EROFS: read-only file system, open '/backups/khamar-backups.txt'`, 'not-writable'],
    [`EACCES: permission denied, open '/srv/khamar-data/uploads/cow.jpg'`, null],
    [`EACCES: permission denied, mkdtemp '/var/lib/khamar/check-XXXXXX'`, null],
    [`ENOENT: no such file or directory, rename '/usb/khamar-1.part' -> '/usb/khamar-1'`, null],
    [await messageOf(() => assertMounted(path.join(folder, 'usb'), folder)), 'not-mounted'],
    [await messageOf(() => checkArchive(file)), 'damaged'],
    ['The disk is full.', 'disk-full'],
    [INTERRUPTED, 'interrupted'],
    [new BucketError('refused', 'shop').message, 'keys'],
    [new BucketError('no-bucket', 'shop').message, 'no-bucket'],
    [new BucketError('region', 'shop').message, 'no-bucket'],
    [new BucketError('clock', 'shop').message, 'clock'],
    [bucketErrorOf({ code: 'ECONNREFUSED' }, 'shop').message, 'bucket-away'],
    [bucketErrorOf({ name: 'TimeoutError' }, 'shop').message, 'bucket-away'],
    ['Connection terminated unexpectedly', 'database'],
    ['canceling statement due to lock timeout', 'database'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'database'],
    ['The backup has products.odd, which no migration of it created. It cannot be restored.', null],
    ['unknown', null],
  ]
  rmSync(folder, { recursive: true })
  expect(texts.map(([text]) => [text, backupFailure(text)])).toEqual(texts)
})
