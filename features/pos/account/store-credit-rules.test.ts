import { expect, it } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { creditRequired } from './store-credit-rules.ts'

it.each([
  ['a sale paid in money', 300, 300, 0, 0],
  ['a sale paid with store credit', 300, 300, 300, 300],
  ['money first', 200, 300, 100, 0],
  ['the rest as store credit', 300, 300, 100, 100],
  ['after the money came back', 100, 100, 100, 100],
  ['more came back as store credit than was paid with it', 40, 40, -60, 0],
  ['nothing to refund', 0, 100, 100, 0],
  ['all came back already', 0, 0, 0, 0],
])('%s', (_name, refund, paid, creditPaid, required) => {
  expect(creditRequired(poisha(refund), { paid: poisha(paid), creditPaid: poisha(creditPaid) })).toBe(required)
})
