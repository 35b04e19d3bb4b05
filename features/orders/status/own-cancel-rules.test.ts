import { afterEach, expect, test } from 'vitest'
import { setShopDay } from '#lib/format/time.ts'
import { mayBePartlyDelivered } from '../rules.ts'
import { findCancelBlock } from './own-cancel-rules.ts'
import type { OrderJson } from '../types.ts'
import type { AdvanceState } from '../advances/advance-history-rules.ts'

type OrderState = Pick<OrderJson, 'status' | 'paid' | 'attempt' | 'advances' | 'first_delivery_on'>
const placed: OrderState = { status: 'placed', paid: 0, attempt: null, advances: [], first_delivery_on: null }
const TODAY = '2026-11-22'
const attempt = (state: 'pending' | 'failed' | 'review') =>
  ({ gateway: 'bkash', state, amount: 10, redirect_url: null, is_rest: false, is_cancelled: false }) as const
const advance = (state: AdvanceState) =>
  ({ method: 'bkash', transaction_id: 'AB12345', is_duplicate: false, amount: 10, state, at: '' }) as const

test.each<[string, Partial<OrderState>, ReturnType<typeof findCancelBlock>]>([
  ['just placed', {}, null],
  ['waiting for the gateway', { attempt: attempt('pending') }, null],
  ['a payment failed', { attempt: attempt('failed') }, null],
  ['an advance was not found', { advances: [advance('refused')] }, null],
  ['an advance was reported', { advances: [advance('refused'), advance('waiting')] }, 'advance-checking'],
  ['a payment is looked at', { attempt: attempt('review') }, 'payment-review'],
  ['something was paid', { paid: 0.01 }, 'paid'],
  ['first of two deliveries today', { first_delivery_on: TODAY }, 'on-its-way'],
  ['first of two deliveries tomorrow', { first_delivery_on: '2026-11-23' }, null],
  ['being prepared', { status: 'processing' }, 'on-its-way'],
  ['delivered', { status: 'delivered', paid: 10 }, 'on-its-way'],
  ['cancelled', { status: 'cancelled' }, 'ended'],
])('%s: %s → %s', (_name, order, expected) => {
  expect(findCancelBlock({ ...placed, ...order }, TODAY)).toBe(expected)
})

afterEach(() => setShopDay(''))
test.each([
  ['2020-01-01', null, false],
  ['2020-01-02', 'on-its-way', true],
])('on a page the shop’s day %s decides, not the clock of the device', (day, block, isPartly) => {
  setShopDay(day)
  expect(findCancelBlock({ ...placed, first_delivery_on: '2020-01-02' })).toBe(block)
  expect(mayBePartlyDelivered({ status: 'processing', first_delivery_on: '2020-01-02' })).toBe(isPartly)
})
