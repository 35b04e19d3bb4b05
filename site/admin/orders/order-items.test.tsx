// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { OrderItems } from './order-items.tsx'

cleanUpAfterEach()

it.each([
  ['a coupon on its products', { code: 'EID10', discount: 50, delivery_saved: 0 }, ['Coupon EID10'], 'Discount'],
  ['a coupon on its delivery', { code: 'FREE', discount: 0, delivery_saved: 80 }, ['Discount', '৳80 off with coupon FREE'], 'Coupon FREE'],
  ['no coupon', null, ['Discount'], /coupon/i],
])('the sums of an order with %s', (_name, used_coupon, shown, hidden) => {
  const order = { lines: [], discount: 50, shipping_cost: 80, total: 450, is_collection: false, used_coupon }
  renderInPage(<OrderItems order={order as unknown as AdminOrder} />)
  for (const text of shown) expect(screen.getByText(text)).toBeTruthy()
  expect(screen.queryByText(hidden)).toBeNull()
})
