// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import '#messages/en-account.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE } from '../../admin/ui/testing.tsx'
import { FREE_ORDER_KEY, writeSession } from '#page/session-notes.ts'
import { Page } from './confirmed.page.tsx'
import { Steps } from './next-steps.static.tsx'

// The thanks after an order, word for word as specified.

cleanUpAfterEach()
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers().restoreAllMocks()
  writeSession(FREE_ORDER_KEY, null)
})

const order = {
  id: 7,
  status: 'placed',
  phone: '01711000001',
  is_free_order: true,
  payment_type: 'full',
  payment_gateway: 'NONE',
  total: 0,
  shipping_cost: 0,
  paid: 0,
  due: 0,
  payable: 0,
  advance_missing: 0,
  deliver_on: '2026-11-30',
  first_delivery_on: null,
  is_collection: false,
  expires_at: null,
  attempt: null,
  advances: [],
  lines: [],
  tracking_url: '/track/abcdefghijklmnop',
} as unknown as OrderJson

function openPage(change: Partial<OrderJson> = {}) {
  const left = vi.spyOn(location, 'assign').mockImplementation(() => {})
  render(
    <AppRoot shell={PAGE}>
      <Page
        order={{ ...order, ...change }}
        mayPay
        viewKey={null}
        payTo={null}
        advanceHours={24}
        weighingDays={null}
        choices={null}
        sms={null}
      />
    </AppRoot>,
  )
  return { left, title: screen.getByRole('heading', { level: 1 }).textContent }
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

it('a free order that was just placed says so, and leads to the home page after three seconds, once', async () => {
  writeSession(FREE_ORDER_KEY, 7)
  const { left, title } = openPage()
  expect(title).toBe('Order Placed Successfully!')
  await pass(2999)
  expect(left).not.toHaveBeenCalled()
  await pass(1)
  expect(left.mock.calls).toEqual([['/']])
  await pass(10_000)
  expect(left).toHaveBeenCalledOnce()
})

it('its button stops that', async () => {
  writeSession(FREE_ORDER_KEY, 7)
  const { left } = openPage()
  await pass(2000)
  act(() => screen.getByRole('button', { name: 'Stay on this page' }).click())
  await pass(10_000)
  expect(left).not.toHaveBeenCalled()
})

it('the page of another order than the one just placed does not leave', async () => {
  writeSession(FREE_ORDER_KEY, 8)
  const { left } = openPage()
  await pass(10_000)
  expect(left).not.toHaveBeenCalled()
})

it('another order has thanks with the call before delivery; OK leads to its invoice', () => {
  const { title } = openPage({ is_free_order: false, payment_type: 'cash_on_delivery', total: 160, due: 160 })
  expect(title).toBe('Thank you!')
  expect(screen.getByText('You will get a confirmation call the day before delivery.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'OK' }).getAttribute('href')).toBe('/invoice/7')
})

it('the discount of a coupon has its code', () => {
  openPage({ is_free_order: false, shipping_cost: 80, total: 30, coupon: { code: 'EID10', discount: 50, delivery_saved: 0 } })
  expect(document.body.textContent).toContain('Coupon EID10−৳50')
})

it('an order that was paid twice names the refund due', () => {
  openPage({ is_free_order: false, payment_gateway: 'sslcommerz', total: 780, payable: 780, paid: 1560, due: -780 })
  expect(document.body.textContent).toContain('Paid৳1,560Refund due৳780')
})

it.each(['on_delivery', 'delivered'] as const)('an order that is %s promises no call before its delivery', (status) => {
  openPage({ is_free_order: false, status, total: 780, payable: 780, paid: 780 })
  expect(screen.queryByText('You will get a confirmation call the day before delivery.')).toBeNull()
})

it.each([
  [false, 'We’ll call 01711000001 the day before delivery to confirm.'],
  [true, 'We’ll call 01711000001 the day before collection to confirm.'],
])('the next steps name what the call is before (collection: %s)', (is_collection, text) => {
  render(
    <AppRoot shell={PAGE}>
      <Steps order={{ ...order, is_collection }} weighingDays={null} />
    </AppRoot>,
  )
  expect(screen.getByText(text)).toBeDefined()
})

it.each([
  [false, true],
  [true, false],
])('the call on the day before is of a delivery: collected %s', (is_collection, isNamed) => {
  openPage({ is_collection })
  expect(screen.queryByText('You will get a confirmation call the day before delivery.') !== null).toBe(isNamed)
})
