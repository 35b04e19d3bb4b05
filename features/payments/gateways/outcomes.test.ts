import { describe, expect, it } from 'vitest'
import type { Poisha } from '#lib/format/money.ts'
import { bkashOutcome } from './bkash-outcome.ts'
import { tranIdOutcome } from './sslcommerz-outcome.ts'

const attempt = { tranId: 'OURS', gatewayRef: 'REF', amountPoisha: 150_000 as Poisha }
const paid = { status: 'VALID', tran_id: 'OURS', risk_level: '0', amount: '1500.00', currency: 'BDT' }
const outcomeOf = (...element: object[]) => tranIdOutcome({ element: element.map((one) => ({ ...paid, ...one })) }, attempt, 'store')

describe('a payment of another attempt in the answer of SSLCommerz', () => {
  const other = { val_id: 'A', tran_id: 'THEIRS' }
  it.each([
    ['beside an acceptable one', { val_id: 'B' }],
    ['before a risky one', { val_id: 'B', risk_level: '1' }],
  ])('%s is left out', (_what, own) => {
    expect(outcomeOf(other, own)).toMatchObject({ state: 'paid', eventId: 'B', tranId: 'OURS', extra: [] })
  })
  it('alone is named', () => expect(outcomeOf(other)).toMatchObject({ state: 'paid', tranId: 'THEIRS', extra: [] }))
})

it('nothing paid is no payment', () => {
  expect(outcomeOf({ val_id: 'A', amount: '0.00' })).toMatchObject({ state: 'unknown' })
  const completed = { transactionStatus: 'Completed', trxID: 'TRX', paymentID: 'REF', amount: '0' }
  expect(bkashOutcome(completed, attempt)).toMatchObject({ state: 'unknown' })
})
