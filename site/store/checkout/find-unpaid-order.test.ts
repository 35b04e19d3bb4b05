import { afterEach, expect, it, vi } from 'vitest'
import { findUnpaidOrder } from './find-unpaid-order.ts'
import { missingStep } from './missing-step.tsx'

afterEach(() => void vi.unstubAllGlobals())
const until = '2026-11-22T12:00:00.000Z'
const waiting = { order_status: 'placed', payment: 'pending', payable_amount: 500, paid_amount: 0, due_amount: 500, expires_at: until }

/** The result for a response of `/payments/status`. */
async function found(body: object, status = 200) {
  vi.stubGlobal('fetch', async () => Response.json(body, { status }))
  return findUnpaidOrder(7, new AbortController().signal)
}

it('is unknown without a readable response', async () => {
  expect(await found({ message: 'Oh' }, 500)).toBeUndefined()
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('no network')
  })
  expect(await findUnpaidOrder(7, new AbortController().signal)).toBeUndefined()
})

it('is null for an order that awaits no online payment', async () => {
  expect(await found({ ...waiting, payment: 'paid' })).toBeNull()
  expect(await found({ ...waiting, order_status: 'processing' })).toBeNull()
  expect(await found({ ...waiting, expires_at: null })).toBeNull()
})

it('has the payable amount and the deadline', async () => {
  expect(await found(waiting)).toEqual({ id: 7, amount: 500, until })
  expect(await found({ ...waiting, payment: 'failed' })).toEqual({ id: 7, amount: 500, until })
})

it('links a blocker to its field, where it has one', () => {
  expect(missingStep(null, String)).toBeNull()
  expect(missingStep('place.needs-terms', () => 'Accept the terms')).toEqual({ text: 'Accept the terms', target: '#terms' })
  expect(missingStep('place.gone', () => 'Remove it')).toEqual({ text: 'Remove it', target: null })
})
