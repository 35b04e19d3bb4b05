import { expect, it } from 'vitest'
import { isDiskFull, isDiskReadOnly } from './disk-full.server.ts'

const withCode = (code: string, syscall?: string) => Object.assign(new Error('failed'), { code, syscall })

it.each<[string, unknown, boolean]>([
  ['PostgreSQL', withCode('53100'), true],
  ['the file system', withCode('ENOSPC'), true],
  ['a quota', withCode('EDQUOT'), true],
  ['the picture library', new Error('vips2file: write error: No space left on device'), true],
  ['the cause of an error', new Error('the video was not stored', { cause: withCode('ENOSPC') }), true],
  ['another error of the file system', withCode('ENOENT'), false],
  ['another of PostgreSQL', withCode('53300'), false],
  ['nothing at all', undefined, false],
])('a full disk as reported by %s', (_who, error, isFull) => {
  expect(isDiskFull(error)).toBe(isFull)
})

it.each<[string, unknown, boolean]>([
  ['PostgreSQL', withCode('25006'), true],
  ['the file system', withCode('EROFS', 'open'), true],
  ['a folder of another user', withCode('EACCES', 'open'), true],
  ['a protected file', withCode('EPERM', 'rename'), true],
  ['the picture library', new Error('unable to open for write: Read-only file system'), true],
  ['the cause of an error', new Error('the video was not stored', { cause: withCode('EROFS') }), true],
  ['a refused connection', withCode('EACCES', 'connect'), false],
  ['a full disk', withCode('ENOSPC', 'write'), false],
  ['a missing permission in the database', withCode('42501'), false],
])('a read-only disk as reported by %s', (_what, error, isReadOnly) => {
  expect(isDiskReadOnly(error)).toBe(isReadOnly)
})
