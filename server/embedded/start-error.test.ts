import { expect, it } from 'vitest'
import { explain } from './start-error.ts'

it.each([
  ['initdb: error: could not write file "base/1": No space left on device', /^The disk is full: the database in \/srv\/farm cannot start/],
  // The message of initdb when the disk had room for half a block.
  ['FATAL:  could not extend file "base/13511/2610_fsm": wrote only 4096 of 8192 bytes at block 2', /^The disk is full:/],
  ['FATAL:  could not open file "x": Read-only file system', /^The disk of \/srv\/farm is read-only/],
  ['FATAL:  something new', /^The embedded database did not start: something new \(more in the\.log\)$/],
])('%s', (output, line) => {
  expect(explain(output, '/srv/farm', 'the.log').message).toMatch(line)
})
