import { expect, it } from 'vitest'
import { isDiskFull } from './disk.server.ts'

const withCode = (code: string) => Object.assign(new Error('it says'), { code })

it.each<[string, unknown, boolean]>([
  ['PostgreSQL', withCode('53100'), true],
  ['the file system', withCode('ENOSPC'), true],
  ['a quota', withCode('EDQUOT'), true],
  ['the picture library', new Error('vips2file: write error: No space left on device'), true],
  ['what lies beneath', new Error('the film was not kept', { cause: withCode('ENOSPC') }), true],
  ['another error of the file system', withCode('ENOENT'), false],
  ['another of PostgreSQL', withCode('53300'), false],
  ['nothing at all', undefined, false],
])('a full disk, as %s says it', (_who, error, isFull) => {
  expect(isDiskFull(error)).toBe(isFull)
})
