import { expect, it } from 'vitest'
import { BackupFileError } from '#features/backup/archive/format.ts'
import { MigrationError } from '#server/apply-migration.ts'
import { explainError } from './explain-error.ts'

const migrationFailure = (cause: { code?: string; message: string }) =>
  new MigrationError('The migration 0001 failed and was undone: …', { cause: Object.assign(new Error(cause.message), cause) })

const FULL = 'The disk is full: make room (df -h shows which one it is), and run the command again.'
const fileFailure = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall, path: '/mnt/usb' })

it.each<[string, Error, string]>([
  ['a file that is no backup', new BackupFileError('This is not a backup of Khamar.'), 'This is not a backup of Khamar.'],
  [
    'a migration',
    migrationFailure({ code: '42P01', message: 'relation "x" does not exist' }),
    'The migration 0001 failed and was undone: …',
  ],
  ['a migration without room', migrationFailure({ code: '53100', message: 'could not write to file' }), FULL],
  ['a backup without room', Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' }), FULL],
  [
    'the folder of another user',
    fileFailure('EACCES', 'mkdir'),
    '/mnt/usb cannot be used (EACCES at mkdir): this user may not read or write there; name another folder, or run this as its owner.',
  ],
  [
    'a read-only disk',
    fileFailure('EROFS', 'open'),
    '/mnt/usb cannot be used (EROFS at open): its disk is read-only; name a folder on another disk.',
  ],
  ['a file that is gone', fileFailure('ENOENT', 'open'), '/mnt/usb cannot be used (ENOENT at open).'],
  [
    'a database that ended',
    new Error('Connection terminated unexpectedly'),
    'The database went away: look whether the disk or the memory is full. Nothing is half done: run the command again.',
  ],
])('%s', (_name, error, line) => {
  expect(explainError(error)).toBe(line)
})
