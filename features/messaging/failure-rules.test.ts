import { expect, it } from 'vitest'
import { failureLabel } from './failure-rules.ts'

it.each([
  ['expired', 'expired'],
  ['not-configured', 'not-configured'],
  ['interrupted', 'interrupted'],
  ['aborted', 'interrupted'],
  ['1001', 'number'],
  ['1012', 'bengali'],
  ['1007', 'balance'],
  ['1005', 'company'],
  ['http-500', 'company'],
  ['http-403', 'account'],
  ['1019', 'account'],
  ['ECONNREFUSED', 'line'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'line'],
  ['timeout', 'silent'],
  ['not-json', 'silent'],
  ['UND_ERR_SOCKET', 'silent'],
  ['code-7', 'silent'],
])('%s is %s', (failure, word) => {
  expect(failureLabel(failure)).toBe(word)
})
