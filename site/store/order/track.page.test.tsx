// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { TrackedOrder } from '#features/orders/history/tracking.server.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, stubServer } from '../../admin/ui/testing.tsx'
import { Page } from './track.page.tsx'

cleanUpAfterEach()
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const order: TrackedOrder = { status: 'placed', delivery_dates: [], is_collection: false, order_products: [] }

it('shows the state of the order as it changes, without a reload', async () => {
  history.replaceState(null, '', '/track/abcdefghijklmnop')
  const sent = stubServer(null, { status: 200, body: { orders: [{ ...order, status: 'on_delivery', delivery_dates: ['2026-11-30'] }] } })
  render(
    <AppRoot shell={PAGE}>
      <Page orders={[order]} />
    </AppRoot>,
  )
  const state = () => screen.getAllByRole('status').map(({ textContent }) => textContent)[0]
  const pass = () => act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(state()).toBe('Order status: Placed')
  await pass()
  expect(state()).toBe('Order status: Placed')
  await pass()
  expect(state()).toBe('Order status: Out for delivery')
  expect(screen.getByText(/30 Nov/)).toBeDefined()
  expect(sent.map(({ url }) => url)).toEqual(['/api/track/abcdefghijklmnop', '/api/track/abcdefghijklmnop'])
})
