// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { FinalWeighing } from '#features/cattle/settlement/final-weighings.server.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { OrderWeighings } from './order-weighings.tsx'

cleanUpAfterEach()

it.each([
  ['is still to be delivered', { status: 'processing', lines: [{ product_id: 4, returned: 0 }] }, true],
  ['was cancelled on the open page', { status: 'cancelled', lines: [{ product_id: 4, returned: 0 }] }, false],
  ['lost the animal on the open page', { status: 'processing', lines: [{ product_id: 5, returned: 0 }] }, false],
  ['has the animal back on the open page', { status: 'delivered', lines: [{ product_id: 4, returned: 1 }] }, false],
])('an order that %s', (_name, order, isShown) => {
  const weighing = { animal_id: 4, tag_number: 'B-218', state: 'missing', due_on: '2026-12-01' } as FinalWeighing
  renderInPage(<OrderWeighings order={order as unknown as AdminOrder} weighings={[weighing]} />)
  expect(screen.queryAllByRole('link', { name: 'Weigh' })).toHaveLength(isShown ? 1 : 0)
})
