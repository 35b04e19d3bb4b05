import { describe, expect, it } from 'vitest'
import type { PaidOutcome } from './gateway.ts'
import { paymentStatus } from './payment-status.ts'
import { animalsAreSold, type OrderMoney } from '#features/ledger/rules.ts'
import { attentionFor, restPayable, stillPayable, verifyPayment } from './payment-verification-rules.ts'
import { poisha, taka, type Poisha } from '#lib/format/money.ts'

const attempt = { tranId: '01J', gatewayRef: 'S', amountPoisha: taka(1500) }
const paid: PaidOutcome = {
  state: 'paid',
  eventId: 'V',
  gatewayTxn: 'B',
  gatewayRef: 'S',
  tranId: '01J',
  amountPoisha: taka(1500),
  currency: 'BDT',
  isOurs: true,
  isRisky: false,
  instrument: '',
  paidAt: null,
  extra: [],
}
const order = (changes: Partial<OrderMoney> = {}): OrderMoney => ({
  refundablePoisha: poisha(0),
  feePoisha: poisha(0),
  writtenOffPoisha: poisha(0),
  status: 'placed',
  payablePoisha: taka(1500),
  paidPoisha: taka(0),
  duePoisha: poisha(8_000_000 - (changes.paidPoisha ?? 0)),
  ...changes,
})

describe('verification of reported payments', () => {
  it.each<[string, Partial<PaidOutcome>, string]>([
    ['exactly that', {}, 'accept'],
    ['a poisha less', { amountPoisha: 149_999 as Poisha }, 'mismatch'],
    ['a poisha more', { amountPoisha: 150_001 as Poisha }, 'mismatch'],
    ['dollars', { currency: 'USD' }, 'mismatch'],
    ['no currency', { currency: '' }, 'mismatch'],
    ['another attempt', { tranId: '02J' }, 'wrong-attempt'],
    ['another shop', { isOurs: false }, 'wrong-attempt'],
    ['risky', { isRisky: true }, 'review'],
    ['risky and a poisha less', { isRisky: true, amountPoisha: 149_999 as Poisha }, 'mismatch'],
  ])('%s', (_name, changes, judgement) => expect(verifyPayment({ ...paid, ...changes }, attempt)).toBe(judgement))
})

it.each([
  [order(), null],
  [order({ paidPoisha: taka(500) }), null],
  [order({ paidPoisha: taka(1500) }), 'paid-twice'],
  [order({ status: 'cancelled' }), 'paid-after-end'],
  [order({ status: 'returned', paidPoisha: taka(1500) }), 'paid-after-end'],
])('%j wants the attention of the staff: %s', (money, attention) => expect(attentionFor(money, { isRest: false })).toBe(attention))

it.each([
  [order({ paidPoisha: taka(1500) }), null],
  [order({ paidPoisha: taka(1500), duePoisha: poisha(0) }), 'paid-twice'],
  [order({ paidPoisha: taka(500) }), null],
  [order({ status: 'cancelled', paidPoisha: taka(1500) }), 'paid-after-end'],
])('a payment of the rest of %j wants the attention of the staff: %s', (money, attention) =>
  expect(attentionFor(money, { isRest: true })).toBe(attention),
)

it.each([
  ['nothing came', order(), 0],
  ['a part of the promised payment', order({ paidPoisha: taka(500) }), 0],
  ['the promised payment', order({ paidPoisha: taka(1500) }), 7_850_000],
  ['all', order({ paidPoisha: taka(80_000) }), 0],
  ['more than all', order({ paidPoisha: taka(80_001) }), 0],
  ['cash on delivery without a payment', order({ payablePoisha: taka(0) }), 0],
  ['cash on delivery with a part', order({ payablePoisha: taka(0), paidPoisha: taka(500) }), 7_950_000],
])('of the rest can be paid: %s', (_name, money, rest) => expect(restPayable(money)).toBe(rest))

it('is never negative', () => {
  expect(stillPayable(order({ paidPoisha: taka(2000) }))).toBe(0)
  expect(stillPayable(order({ paidPoisha: taka(500) }))).toBe(taka(1000))
})

it('never exceeds the amount due', () => {
  expect(stillPayable(order({ duePoisha: taka(700) }))).toBe(taka(700))
  expect(stillPayable(order({ duePoisha: poisha(-70_000) }))).toBe(0)
})

it.each([
  [0, 0, false],
  [1500, 0, false],
  [10_000, 10_000, true],
  [9_999, 10_000, false],
  [80_000, 0, true],
])('with %i paid and %i of advances the animal is sold: %s', (paidTaka, advances, sold) => {
  expect(animalsAreSold(order({ paidPoisha: taka(paidTaka) }), taka(advances))).toBe(sold)
})

it.each<[string, OrderMoney, string[], string]>([
  ['cash on delivery', order({ payablePoisha: taka(0) }), [], 'none'],
  ['just sent to the gateway', order(), ['pending'], 'pending'],
  ['failed', order(), ['failed'], 'failed'],
  ['tried again after failing', order(), ['pending', 'failed'], 'pending'],
  ['paid', order({ paidPoisha: taka(1500) }), ['paid', 'failed'], 'paid'],
  ['looked at by people', order(), ['review'], 'review'],
  ['expired', order({ status: 'cancelled' }), ['expired'], 'ended'],
])('%s', (_name, money, states, status) =>
  expect(
    paymentStatus(
      money,
      states.map((state) => ({ state: state as never, isRest: false })),
    ),
  ).toBe(status),
)

it.each<[string, Partial<OrderMoney>, string]>([
  ['open', {}, 'pending'],
  ['open, and the rest came in cash', { duePoisha: poisha(0) }, 'paid'],
  ['open, and the order was cancelled', { status: 'cancelled' }, 'paid'],
])('a page for the rest of a paid order: %s', (_name, changes, status) =>
  expect(paymentStatus(order({ paidPoisha: taka(1500), ...changes }), [{ state: 'pending', isRest: true }])).toBe(status),
)
