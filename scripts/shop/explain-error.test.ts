import { expect, it } from 'vitest'
import { BackupFileError } from '#features/backup/archive/format.ts'
import { MigrationError } from '#server/apply-migration.ts'
import { explainError } from './explain-error.ts'

const migrationFailure = (cause: { code?: string; message: string }) =>
  new MigrationError('The migration 0001 failed and was undone: …', { cause: Object.assign(new Error(cause.message), cause) })

it.each<[string, Error, string]>([
  ['a file that is no backup', new BackupFileError('This is not a backup of Khamar.'), 'This is not a backup of Khamar.'],
  [
    'a migration',
    migrationFailure({ code: '42P01', message: 'relation "x" does not exist' }),
    'The migration 0001 failed and was undone: …',
  ],
  ['a migration without room', migrationFailure({ code: '53100', message: 'could not write to file' }), 'The disk is full.'],
  [
    'a database that ended',
    new Error('Connection terminated unexpectedly'),
    'The database went away: look whether the disk or the memory is full. Nothing is half done: run the command again.',
  ],
])('%s', (_name, error, line) => {
  expect(explainError(error)).toBe(line)
})
