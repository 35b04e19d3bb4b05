import { expect, test } from 'vitest'
import { awaitedOnline, dueLater, hasExpired, invoicePaymentState, payableNow, isConfirmed } from './invoice-rules.ts'
import { timeline } from './timeline-rules.ts'
import type { OrderJson } from '../types.ts'

const order: OrderJson = {
  id: 7,
  status: 'placed',
  reason: null,
  name: 'Rahima',
  phone: '01811000009',
  email: '',
  alternate_phone: '',
  address: 'House 4',
  landmark: '',
  note: '',
  area_name: 'Mirpur',
  subtotal: 750,
  shipping_cost: 80,
  coupon: null,
  discount: 0,
  total: 830,
  paid: 0,
  settlement: 0,
  fee: 0,
  written_off: 0,
  due: 830,
  payment_type: 'full',
  payment_gateway: 'sslcommerz',
  payable: 830,
  is_free_order: false,
  advance_missing: 0,
  deliver_on: '2025-04-30',
  first_delivery_on: null,
  is_collection: false,
  is_over_counter: false,
  placed_at: '2025-04-29T10:00:00Z',
  expires_at: '2025-04-29T10:30:00Z',
  is_in_review: false,
  phone_verified: false,
  is_reviewed: false,
  has_cattle: false,
  lines: [],
  payments: [],
  settlements: [],
  attempt: { gateway: 'sslcommerz', state: 'pending', amount: 830, redirect_url: null, is_rest: false, is_cancelled: false },
  advances: [],
  events: [],
  tracking_url: '/track/x',
}
const attempt = order.attempt!
const byHand = { payment_type: 'partial', payment_gateway: 'NONE', payable: 100, attempt: null } as const
const onAccount = { status: 'processing', payment_type: 'full', payment_gateway: 'NONE', attempt: null } as const
const report = { method: 'bkash', transaction_id: 'ABC123', amount: 100, is_duplicate: false, at: '' } as const

test.each<[string, Partial<OrderJson>, string]>([
  ['a payment page is open', {}, 'waiting'],
  ['a payment failed', { attempt: { ...attempt, state: 'failed' } }, 'failed'],
  ['the payer cancelled at the gateway', { attempt: { ...attempt, state: 'failed', is_cancelled: true } }, 'abandoned'],
  ['the staff refused a payment', { attempt: { ...attempt, state: 'refused' } }, 'refused'],
  ['a payment page could not be opened', { attempt: null }, 'failed'],
  ['a payment is risky', { attempt: { ...attempt, state: 'review' } }, 'review'],
  ['all is paid', { paid: 830, due: 0, attempt: { ...attempt, state: 'paid' } }, 'paid'],
  ['the part is paid', { payment_type: 'partial', payable: 100, paid: 100, due: 730 }, 'part'],
  [
    'an earlier try failed, the part is paid',
    { payment_type: 'partial', payable: 100, paid: 100, due: 730, attempt: { ...attempt, state: 'failed' } },
    'part',
  ],
  ['cash on delivery', { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', payable: 0, attempt: null }, 'cod'],
  ['nothing to pay', { is_free_order: true, total: 0, due: 0 }, 'free'],
  ['an advance is awaited', byHand, 'advance'],
  ['an advance is reported', { ...byHand, advances: [{ ...report, state: 'waiting' }] }, 'advance-checking'],
  ['an advance was not found', { ...byHand, advances: [{ ...report, state: 'refused' }] }, 'advance'],
  ['an advance is verified', { ...byHand, paid: 100, due: 730, advances: [{ ...report, state: 'verified' }] }, 'part'],
  ['a part of the advance came and the animal is on its way', { ...byHand, status: 'on_delivery', paid: 50, due: 780 }, 'part'],
  ['no advance came and the animal was delivered', { ...byHand, status: 'delivered' }, 'cod'],
  ['a sale of the POS on account that is delivered later', onAccount, 'cod'],
  ['the same, paid in part', { ...onAccount, paid: 100, due: 730 }, 'part'],
  ['a free order to which staff have added a product', { ...onAccount, payable: 0 }, 'cod'],
  ['cancelled', { status: 'cancelled' }, 'closed'],
])('%s', (_what, change, state) => {
  expect(invoicePaymentState({ ...order, ...change })).toBe(state)
})

test.each<[string, Partial<OrderJson>, boolean]>([
  ['waits for its payment', {}, false],
  ['a failed payment', { attempt: { ...attempt, state: 'failed' } }, false],
  ['an advance to send', byHand, true],
  ['cash on delivery', { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', payable: 0, attempt: null }, true],
  ['paid', { paid: 830, due: 0, attempt: { ...attempt, state: 'paid' } }, true],
  ['free', { is_free_order: true, total: 0, due: 0 }, true],
  ['cancelled', { status: 'cancelled' }, false],
])('%s: is confirmed', (_what, change, confirmed) => {
  expect(isConfirmed({ ...order, ...change })).toBe(confirmed)
})

test('the amount payable now', () => {
  expect(payableNow(order)).toBe(830)
  expect(payableNow({ ...order, payable: 100.1, paid: 100 })).toBe(0.1)
  expect(payableNow({ ...order, payable: 100, paid: 830, due: 0 })).toBe(0)
  expect(payableNow({ ...order, due: 800 })).toBe(800)
  expect(payableNow({ ...order, due: -5 })).toBe(0)
})

test('the amount due later is less an advance until the products are sent', () => {
  const part = { ...order, ...byHand, paid: 50, due: 780 }
  expect((['placed', 'processing', 'on_delivery', 'delivered'] as const).map((status) => dueLater({ ...part, status }))).toEqual([
    730, 730, 780, 780,
  ])
  expect(dueLater({ ...order, ...onAccount })).toBe(830)
})

test('the timeline has only events for customers', () => {
  const events = [
    { at: '1', kind: 'placed', to_status: 'placed' as const },
    { at: '2', kind: 'payment-mismatch', to_status: null },
    { at: '3', kind: 'payment-received', to_status: null },
    { at: '4', kind: 'expired', to_status: 'cancelled' as const },
    { at: '5', kind: 'paid-after-end', to_status: null },
    { at: '6', kind: 'paid-twice', to_status: null },
    { at: '7', kind: 'payment-recorded', to_status: null },
    { at: '8', kind: 'refund-recorded', to_status: null },
  ]
  expect(timeline({ ...order, events })).toEqual([
    { at: '1', text: 'order-status.placed' },
    { at: '3', text: 'order-event.payment' },
    { at: '4', text: 'order-status.cancelled' },
    { at: '5', text: 'order-event.payment' },
    { at: '6', text: 'order-event.payment' },
    { at: '7', text: 'order-event.payment' },
    { at: '8', text: 'order-event.refunded' },
  ])
  expect(hasExpired({ ...order, status: 'cancelled', events })).toBe(true)
  expect(hasExpired({ ...order, status: 'placed', events })).toBe(false)
})

test('an order to collect is ready where others are out for delivery', () => {
  const events = [{ at: '1', kind: 'status', to_status: 'on_delivery' as const }]
  const textOf = (is_collection: boolean) => timeline({ ...order, is_collection, events })[0]?.text
  expect([textOf(false), textOf(true)]).toEqual(['order-status.on_delivery', 'order-status.ready'])
})

test('an amount is awaited until the payment deadline', () => {
  const until = '2026-05-01T10:00:00.000Z'
  const status = {
    order_status: 'placed',
    payment: 'pending',
    payable_amount: 1500,
    paid_amount: 0.5,
    due_amount: 1499.5,
    waiting_advances: 0,
    expires_at: until,
  } as const
  expect(awaitedOnline(status)).toBe(1499.5)
  expect(awaitedOnline({ ...status, payment: 'failed' })).toBe(1499.5)
  for (const payment of ['none', 'paid', 'review', 'ended'] as const) expect(awaitedOnline({ ...status, payment })).toBe(0)
  expect(awaitedOnline({ ...status, order_status: 'cancelled' })).toBe(0)
  expect(awaitedOnline({ ...status, expires_at: null })).toBe(0)
})
