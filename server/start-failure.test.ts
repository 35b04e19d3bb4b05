import { expect, it } from 'vitest'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { failedStart } from './start-failure.ts'
import { MigrationError } from './apply-migration.ts'
import { builtPages } from './page/assets.ts'

const migrationFailure = (cause: { code?: string; message: string }) =>
  new MigrationError('The migration 0001 failed and was undone: …', { cause: Object.assign(new Error(cause.message), cause) })

it.each<[string, unknown, string | null]>([
  ['a wrong setting', new SettingsError('PORT must be a number.'), 'PORT must be a number.'],
  ['a migration', new MigrationError('The migration 0001 failed.'), 'The migration 0001 failed.'],
  ['a full disk', Object.assign(new Error('write'), { code: 'ENOSPC' }), 'The disk is full: make room and start again.'],
  ['a migration without room', migrationFailure({ code: '53100', message: 'could not write to file' }), 'The disk is full: make room'],
  ['a migration whose database ended', migrationFailure({ message: 'Connection terminated unexpectedly' }), 'The database went away while'],
  ['a table that cannot grow', Object.assign(new Error('could not extend file'), { code: '53100' }), 'The disk is full:'],
  [
    'a read-only disk',
    Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', syscall: 'mkdir', path: '/data/uploads' }),
    '/data/uploads cannot be written to: the disk is read-only',
  ],
  [
    'a file that cannot be copied',
    Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'copyfile', path: '/khamar/logo.png', dest: '/data/uploads/logo.png' }),
    '/data/uploads/logo.png cannot be written to: the disk is read-only',
  ],
  ['a database that ended', new Error('Client has encountered a connection error and is not queryable'), 'The database went away while'],
  ['anything else', new Error('a bug'), null],
])('%s', (_name, error, line) => {
  expect(failedStart(error)).toEqual(line === null ? null : expect.stringContaining(line))
})

it('pages that are not built are one line, too', () => {
  expect(() => builtPages('/nowhere')).toThrow(SettingsError)
})
