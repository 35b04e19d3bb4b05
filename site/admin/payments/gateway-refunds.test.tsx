// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import type { RefundState } from '#features/payments/refunds/queries.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { GatewayRefunds } from './gateway-refunds.tsx'

cleanUpAfterEach()

const REFUND = {
  id: 4,
  gateway: 'bkash',
  transaction: 'TRX1',
  reference: null,
  refund_id: '01J',
  amount: 500,
  reason: 'Ill',
  failure: null,
}
const orderOf = (state: RefundState) =>
  ({ id: 15, version: 1, refunds: [{ ...REFUND, state, at: '2026-11-28T04:00:00Z', sent_at: null, by: null }] }) as unknown as AdminOrder

function Refunds({ state }: { state: RefundState }) {
  const [order, setOrder] = useState(orderOf(state))
  return <GatewayRefunds order={order} onChange={setOrder} />
}

it.each<[RefundState, number]>([
  ['requested', 1],
  ['unknown', 1],
  ['processing', 0],
  ['done', 0],
  ['failed', 0],
])('of a refund that is %s staff may record the outcome: %i', (state, buttons) => {
  renderInPage(<Refunds state={state} />)
  expect(screen.queryAllByRole('button', { name: 'Record outcome' })).toHaveLength(buttons)
})

it('an outcome that another person has recorded is shown, and ends the dialog', async () => {
  const sent = stubServer({ status: 409, body: { message: 'This refund has ended already.', order: orderOf('done') } })
  renderInPage(<Refunds state="unknown" />)
  fireEvent.click(screen.getByRole('button', { name: 'Record outcome' }))
  fireEvent.change(screen.getByLabelText('Refund reference of the gateway'), { target: { value: 'REF1' } })
  await act(async () => fireEvent.click(screen.getAllByRole('button', { name: 'Record outcome' }).at(-1)!))
  expect(sent).toMatchObject([{ url: '/admin/refunds/resolve/4', body: { outcome: 'done', reference: 'REF1' } }])
  expect(screen.queryByLabelText('Refund reference of the gateway')).toBe(null)
  expect(screen.queryAllByRole('button', { name: 'Record outcome' })).toEqual([])
})
