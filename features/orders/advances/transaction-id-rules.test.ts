import { expect, it } from 'vitest'
import { normalizeTransactionId } from './transaction-id-rules.ts'

it.each([
  ['8N7A6D5F4G', '8N7A6D5F4G'],
  [' 8n7a 6d5f4g ', '8N7A6D5F4G'],
  ['৮N৭A৬D৫F৪G', '8N7A6D5F4G'],
  // As the SMS of bKash, Nagad and Rocket write it.
  ['TrxID 8N7A6D5F4G', '8N7A6D5F4G'],
  ['TxnID: 71ABCDE9', '71ABCDE9'],
  ['TxnId:1234567890', '1234567890'],
  ['TrxID TrxID: TxnID 8N7A6D5F4G', '8N7A6D5F4G'],
  ['TrxID- 8N7A6D5F4G', '8N7A6D5F4G'],
  ['TXN-1234', 'TXN-1234'],
  ['TrxID', null],
  ['8N7A', null],
  ['8N7A6D5F4G.', null],
  ['8N7A6D5F4G-', null],
  ['-8N7A6D5F4G', null],
])('%j is %j', (typed, id) => {
  expect(normalizeTransactionId(typed, null)).toBe(id)
})

it.each([
  ['bkash', '8N7A-6D5F-4G', '8N7A6D5F4G'],
  ['nagad', '71AB-CDE9', '71ABCDE9'],
  ['rocket', '12345-67890-', '1234567890'],
  ['bkash', '8-N-7-A', null],
  ['bank', 'FT-2026-0001', 'FT-2026-0001'],
  ['card', 'TXN-1234', 'TXN-1234'],
])('an id of %s %j is %j', (method, typed, id) => {
  expect(normalizeTransactionId(typed, method)).toBe(id)
})
