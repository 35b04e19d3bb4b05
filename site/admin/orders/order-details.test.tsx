// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { OrderDetails } from './order-details.tsx'

cleanUpAfterEach()

it.each([
  ['processing', 1],
  ['cancelled', 0],
  ['delivered', 0],
])('an order that is %s has %i hints at the day from which all products are available', (status, count) => {
  const days = { list_on: '2026-12-01', deliver_on: '2026-12-03', goods_on: '2026-12-03', first_delivery_on: null }
  const order = { name: 'Rahima', phone: '', alternate_phone: '', address: 'Road 1', remarks: '', status, ...days }
  renderInPage(<OrderDetails order={order as unknown as AdminOrder} areas={[]} />)
  expect(screen.queryAllByText(/not all products are available before/)).toHaveLength(count)
})
