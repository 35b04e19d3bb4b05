// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { FinalWeighing } from '#features/cattle/settlement/final-weighings.server.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { OrderWeighings, UnsettledWeighings } from './order-weighings.tsx'

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

const WEIGHING = {
  animal_id: 4,
  order_id: 9,
  tag_number: 'B-218',
  state: 'to-settle',
  old_grams: 224_000,
  rate: 52_000,
  weigh_in: { id: 3, grams: 232_500, on: '2026-11-20', by: 'Jamal', method: 'scale', picture_url: null },
} as FinalWeighing

function renderUnsettled() {
  const onSettled = vi.fn<(order: AdminOrder) => void>()
  const order = { status: 'processing', lines: [{ product_id: 4, returned: 0 }] } as unknown as AdminOrder
  renderInPage(<UnsettledWeighings order={order} weighings={[WEIGHING]} onSettled={onSettled} />)
  return onSettled
}
const press = () => act(async () => fireEvent.click(screen.getByRole('button', { name: /B-218/ })))

it('a settlement names its difference alone: the payments of the order beside it name the amount due, also after the next one', async () => {
  stubServer({ status: 200, body: { difference: 4420, due: 61_420, order: { id: 9, due: 61_420 } } })
  const onSettled = renderUnsettled()
  await press()
  expect(onSettled).toHaveBeenCalledOnce()
  expect(screen.getByRole('status').textContent).toBe('Settled: ৳4,420 more to pay.')
})

it('a settlement whose answer was lost shows the settled order at the next press', async () => {
  const settled = { id: 9, due: 117_000 }
  const message = 'This weigh-in has already settled the order.'
  stubServer(null, { status: 409, body: { message, order: settled } })
  const onSettled = renderUnsettled()
  await press()
  expect(onSettled).not.toHaveBeenCalled()
  await press()
  expect(onSettled).toHaveBeenCalledWith(settled)
  expect(screen.getByRole('status').textContent).toBe(message)
  expect(screen.queryByRole('button', { name: /B-218/ })).toBeNull()
})
