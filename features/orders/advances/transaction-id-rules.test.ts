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
  expect(normalizeTransactionId(typed)).toBe(id)
})
