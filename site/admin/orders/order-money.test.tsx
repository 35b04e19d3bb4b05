// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { RECEIPT_METHODS } from '#features/pos/rules.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { OrderMoney } from './order-money.tsx'

cleanUpAfterEach()

it('names every method with which a sale at the POS is paid', () => {
  const methods = RECEIPT_METHODS
  const payments = methods.map((method, id) => ({ id, kind: 'counter', method, amount: 100, reference: null, at: '2026-11-28T04:00:00Z' }))
  const sums = { total: 800, paid: 800, due: 0, settlement: 0, fee: 0, written_off: 0, advance: 0, refundable_sum: 0, refund_under_way: 0 }
  const order = { id: 15, status: 'delivered', money: 'settled', ...sums, payments, reviews: [], refunds: [], refundable: [], advances: [] }
  renderInPage(<OrderMoney order={order as unknown as AdminOrder} hasDrawer={false} openPayment={null} onChange={() => {}} />)
  const names = screen.getAllByRole('listitem').map((row) => row.textContent?.split(' · ')[1]?.replace(/\d.*/, ''))
  expect(names).toEqual(['cash', 'bKash', 'bank', 'Nagad', 'Rocket', 'card', 'exchange', 'store credit'])
})

it('says that the customer may be paying online, but not of an order that has ended', () => {
  const sums = { total: 180, paid: 0, due: 180, settlement: 0, fee: 0, written_off: 0, advance: 0, refundable_sum: 0, refund_under_way: 0 }
  const order = { id: 16, status: 'placed', money: 'due', ...sums, payments: [], reviews: [], refunds: [], refundable: [], advances: [] }
  const openPayment = { gateway: 'sslcommerz', amount: 180, since: '2026-11-28T04:00:00Z' } as const
  const textOf = (status: string) =>
    renderInPage(
      <OrderMoney order={{ ...order, status } as unknown as AdminOrder} hasDrawer={false} openPayment={openPayment} onChange={() => {}} />,
    ).container.textContent
  expect(textOf('placed')).toContain('The customer may be paying ৳180 online (SSLCommerz, page open since 28 Nov, 10:00 am).')
  expect(textOf('cancelled')).not.toContain('may be paying')
})

it('offers to keep a fee or to write off only of the refund that no gateway is making', () => {
  const sums = { total: 800, paid: 800, due: -800, settlement: 0, fee: 0, written_off: 0, advance: 0, refundable_sum: 800 }
  const order = {
    id: 17,
    status: 'cancelled',
    money: 'to-refund',
    ...sums,
    payments: [],
    reviews: [],
    refunds: [],
    refundable: [],
    advances: [],
  }
  const buttonsOf = (refund_under_way: number) => {
    const shown = { ...order, refund_under_way } as unknown as AdminOrder
    const page = renderInPage(<OrderMoney order={shown} hasDrawer={false} openPayment={null} onChange={() => {}} />)
    const names = screen.getAllByRole('button').map((button) => button.textContent)
    page.unmount()
    return names
  }
  expect(buttonsOf(300)).toEqual(['Record refund', 'Record payment', 'Keep a fee', 'Write off'])
  expect(buttonsOf(800)).toEqual(['Record refund', 'Record payment'])
})

it('offers the refund first where one is due, else the payment', () => {
  const sums = {
    total: 800,
    paid: 300,
    due: 500,
    settlement: 0,
    fee: 0,
    written_off: 0,
    advance: 0,
    refundable_sum: 300,
    refund_under_way: 0,
  }
  const order = { id: 18, status: 'processing', ...sums, payments: [], reviews: [], refunds: [], refundable: [], advances: [] }
  const buttonsOf = (money: AdminOrder['money']) => {
    const shown = { ...order, money } as unknown as AdminOrder
    const page = renderInPage(<OrderMoney order={shown} hasDrawer={false} openPayment={null} onChange={() => {}} />)
    const names = screen.getAllByRole('button').map((button) => button.textContent)
    page.unmount()
    return names.slice(0, 2)
  }
  expect(buttonsOf('due')).toEqual(['Record payment', 'Record refund'])
  expect(buttonsOf('overpaid')).toEqual(['Record refund', 'Record payment'])
  expect(buttonsOf('to-refund')).toEqual(['Record refund', 'Record payment'])
})

it('a write-off after which nothing is due leaves the focus on the first button of the payments', async () => {
  const sums = {
    total: 800,
    paid: 800,
    due: -800,
    settlement: 0,
    fee: 0,
    written_off: 0,
    advance: 0,
    refundable_sum: 800,
    refund_under_way: 0,
  }
  const order = { id: 19, version: 1, status: 'cancelled', money: 'to-refund', ...sums }
  const lists = { payments: [], reviews: [], refunds: [], refundable: [], advances: [] }
  stubServer({ status: 200, body: { order: { ...order, version: 2, money: 'settled', due: 0, refundable_sum: 0, ...lists } } })
  function Money() {
    const [shown, setShown] = useState({ ...order, ...lists } as unknown as AdminOrder)
    return <OrderMoney order={shown} hasDrawer={false} openPayment={null} onChange={setShown} />
  }
  renderInPage(<Money />)
  screen.getByRole('button', { name: 'Write off' }).focus()
  fireEvent.click(screen.getByRole('button', { name: 'Write off' }))
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Not wanted' } })
  await act(async () => fireEvent.submit(screen.getByLabelText('Reason').closest('form')!))
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Record payment'))
})
