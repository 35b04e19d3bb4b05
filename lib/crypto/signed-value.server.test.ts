import { expect, it } from 'vitest'
import { isIssued, issue } from './signed-value.server.ts'

const SECRET = 'a secret of thirty-two characters'
const value = issue(SECRET, 'browser', 'abc-DEF_123')

it('accepts its own values and contains their text', () => {
  expect(value).toMatch(/^abc-DEF_123\.[\w-]{43}$/)
  expect(isIssued(SECRET, 'browser', value)).toBe(true)
})

it.each([
  ['nothing', ''],
  ['a text without a signature', 'abc-DEF_123'],
  ['an empty signature', 'abc-DEF_123.'],
  ['a signature alone', value.slice(value.indexOf('.'))],
  ['another text', value.replace('abc', 'abd')],
  ['a truncated signature', value.slice(0, -1)],
  ['a signature with one more character', `${value}A`],
  ['a value issued for another use', issue(SECRET, 'code', 'abc-DEF_123')],
  ['a value of another shop', issue('another secret of thirty-two chars', 'browser', 'abc-DEF_123')],
  ['letters outside ASCII', 'é'.repeat(50)],
])('rejects %s', (_name, forged) => expect(isIssued(SECRET, 'browser', forged)).toBe(false))
