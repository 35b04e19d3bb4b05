import { expect, test } from 'vitest'
import type { OrderJson } from '../types.ts'
import type { PaymentStatusJson } from './invoice-rules.ts'
import { awaitsDecision, hasNews } from './payment-news-rules.ts'

const order = {
  status: 'placed',
  paid: 0,
  due: 830,
  payable: 830,
  payment_type: 'full',
  payment_gateway: 'NONE',
  attempt: null,
  advances: [],
}
const shown = (change: object) => ({ ...order, ...change }) as unknown as OrderJson
const reported = (state: string) => ({ state })
const attempt = (state: string) => ({ payment_gateway: 'bkash', attempt: { state, is_cancelled: false } })

/** 400 taka are left of an order whose promised payment has come. */
const rest = (state: string) =>
  shown({ paid: 830, due: 400, payment_gateway: 'bkash', attempt: { state, is_cancelled: false, is_rest: true } })

const [onPage, inReview] = [shown(attempt('pending')), shown(attempt('review'))]
const checked = shown({ advances: [reported('refused'), reported('waiting')] })

test.each<[string, OrderJson, boolean]>([
  ['a payment page is open', onPage, true],
  ['staff review a payment', inReview, true],
  ['staff check an advance', checked, true],
  ['staff check an advance of an order that is payable on delivery', { ...checked, payment_type: 'cash_on_delivery', payable: 0 }, true],
  ['an advance is to be sent', shown({ advances: [reported('refused')] }), false],
  ['a payment failed', shown(attempt('failed')), false],
  ['a page for the rest is open', rest('pending'), true],
  ['a payment of the rest failed', rest('failed'), false],
])('%s: awaits a decision: %j', (_what, one, isAwaited) => {
  expect(awaitsDecision(one)).toBe(isAwaited)
})

const status = (change: Partial<PaymentStatusJson>): PaymentStatusJson => ({
  order_status: 'placed',
  payment: 'pending',
  payable_amount: 830,
  paid_amount: 0,
  due_amount: 830,
  waiting_advances: 0,
  expires_at: '2026-05-01T10:00:00.000Z',
  ...change,
})

test.each<[string, OrderJson, Partial<PaymentStatusJson>, boolean]>([
  ['nothing on a payment page', onPage, {}, false],
  ['a failed payment', onPage, { payment: 'failed' }, true],
  ['a cancelled order', onPage, { order_status: 'cancelled' }, true],
  ['a payment', onPage, { paid_amount: 830 }, true],
  ['nothing in a review', inReview, { payment: 'review' }, false],
  ['a part that was paid before the review', inReview, { payment: 'paid' }, false],
  ['a refused payment', inReview, { payment: 'failed' }, true],
  ['an advance that waits', checked, { payment: 'none', waiting_advances: 1 }, false],
  ['an advance that waits after a failed payment', checked, { payment: 'failed', waiting_advances: 1 }, false],
  ['another report, from another tab', checked, { payment: 'none', waiting_advances: 2 }, false],
  ['nothing on a page for the rest', rest('pending'), { payment: 'pending', paid_amount: 830 }, false],
  ['a failed payment of the rest', rest('pending'), { payment: 'paid', paid_amount: 830 }, true],
  ['a rejected advance', checked, { payment: 'none', waiting_advances: 0 }, true],
  ['a verified advance', checked, { payment: 'none', paid_amount: 500, waiting_advances: 0 }, true],
])('%s', (_what, one, change, isNews) => {
  expect(hasNews(one, status(change))).toBe(isNews)
})
