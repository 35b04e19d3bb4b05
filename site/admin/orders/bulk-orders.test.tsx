// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { OrderStatus } from '#features/orders/rules.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { BulkOrders } from './bulk-orders.tsx'

cleanUpAfterEach()

const order = (id: number, status: OrderStatus, due: number) => ({ id, version: 1, status, total: 500, due, delivered_first_on: null })

/** The question before all orders of a list get the status. */
function ask(to: OrderStatus): string {
  const picked = [
    order(1, 'placed', 0),
    order(2, 'delivered', 100),
    order(3, 'placed', 500),
    order(4, 'cancelled', 0),
    order(5, 'returned', 0),
  ]
  renderInPage(<BulkOrders picked={picked as never} clear={() => {}} hasMore={false} usedTags={[]} />)
  const select = screen.getByLabelText('Change status to')
  fireEvent.keyDown(select, { key: 'Enter' })
  fireEvent.change(select, { target: { value: to } })
  return screen.getByRole('dialog').textContent
}

it.each(['cancelled', 'returned'] as const)('before orders become %s, the live ones with payments are counted', (to) => {
  expect(ask(to)).toContain('Orders with payments: 2. ')
})
