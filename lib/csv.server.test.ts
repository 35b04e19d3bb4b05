import { expect, test } from 'vitest'
import { csvLine } from './csv.server.ts'

test.each([
  ['01711223344', '"01711-223344"'],
  ['=1+1', `"'=1+1"`],
  ['+8801711223344', `"'+8801711223344"`],
  ['007', `"'007"`],
  // A line of a farm's exchange is no mobile.
  ['01211223344', `"'01211223344"`],
  ['call 01711223344', '"call 01711223344"'],
  ['say "hi"', '"say ""hi"""'],
  [1711223344, '1711223344'],
  [null, ''],
])('%j is written as %s', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`)
})
