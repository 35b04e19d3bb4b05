// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { LedgerDialog } from './ledger-dialog.tsx'

cleanUpAfterEach()

const SUMS = { due: 1000, written_off: 0, refund_under_way: 0 }
const ORDER = { id: 15, version: 1, status: 'delivered', money: 'due', ...SUMS, refundable: [], payments: [] } as unknown as AdminOrder

/** The dialog as the order page shows it: closed until the button is pressed. */
function Payments() {
  const [order, setOrder] = useState(ORDER)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <p>{`Due ${order.due}`}</p>
      {isOpen ? <LedgerDialog kind="payments" order={order} hasDrawer close={() => setOpen(false)} onChange={setOrder} /> : null}
    </>
  )
}
const open = () => fireEvent.click(screen.getByText('Open'))
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const save = () => act(async () => fireEvent.submit(screen.getByLabelText('Transaction ID').closest('form')!))

it('a conflict shows the order as it is saved, and keeps what was typed for the next try', async () => {
  const saved = { ...ORDER, version: 4, due: 700 }
  const sent = stubServer({ status: 409, body: { message: 'Changed.', order: saved } }, { status: 200, body: { order: saved } })
  renderInPage(<Payments />)
  open()
  type('Payment method', 'bkash')
  type('Amount (৳)', '300')
  type('Transaction ID', 'BKX1234567')
  await save()
  expect(screen.queryByLabelText('Amount (৳)')).toBe(null)
  screen.getByText('Due 700')
  open()
  expect(screen.getByLabelText('Amount (৳)')).toMatchObject({ value: '300' })
  await save()
  const words = { method: 'bkash', amount: '300', transaction_id: 'BKX1234567', drawer: false }
  expect(sent.map(({ body }) => body)).toMatchObject([
    { ...words, version: 1 },
    { ...words, version: 4 },
  ])
})

it('cash goes into the drawer of the open shift, unless the box is cleared', async () => {
  const sent = stubServer({ status: 500, body: {} }, { status: 200, body: { order: { ...ORDER, version: 2 } } })
  renderInPage(<Payments />)
  open()
  type('Payment method', 'cash')
  const box = () => screen.getByLabelText('The cash goes into the drawer of my shift')
  const saveCash = () => act(async () => fireEvent.submit(box().closest('form')!))
  await saveCash()
  fireEvent.click(box())
  await saveCash()
  expect(sent.map(({ body }) => body)).toMatchObject([
    { method: 'cash', drawer: true },
    { method: 'cash', drawer: false },
  ])
})

it.each([
  [0, '500', null],
  [300, '200', '৳300'],
  [500, '', '৳500'],
])('a refund of ৳%s that a gateway is making is not suggested again, and counts in what is due afterwards', (underWay, amount, after) => {
  const order = { ...ORDER, id: 20 + underWay, money: 'overpaid', due: -500, refund_under_way: underWay } as AdminOrder
  renderInPage(<LedgerDialog kind="refunds" order={order} hasDrawer={false} close={() => {}} onChange={() => {}} />)
  expect(screen.getByLabelText('Amount (৳)')).toMatchObject({ value: amount })
  type('Amount (৳)', '500')
  expect(screen.queryByText(/Amount due after this/)?.textContent).toBe(after ? `Amount due after this: ${after}.` : undefined)
})

it.each([
  ['the payment', [['bkash', 500]], 'bkash'],
  [
    'the last payment',
    [
      ['cash', 200],
      ['nagad', 500],
    ],
    'nagad',
  ],
  [
    'the payment that is left',
    [
      ['cash', 200],
      ['nagad', 500],
      ['nagad', -500],
    ],
    'cash',
  ],
  ['cash for one that staff cannot refund', [['pgw', 500]], 'cash'],
  [
    'the payment before a weighing and a return',
    [
      ['bkash', 500],
      ['weighing', 200, 'settlement'],
      ['return', 100, 'return'],
    ],
    'bkash',
  ],
] as const)('a refund goes the way of %s', (_name, entries, method) => {
  const payments = entries.map(([of, amount, kind], id) => ({ id, kind: kind ?? (amount > 0 ? 'manual' : 'refund'), method: of, amount }))
  const order = { ...ORDER, due: -500, payments } as unknown as AdminOrder
  renderInPage(<LedgerDialog kind="refunds" order={order} hasDrawer close={() => {}} onChange={() => {}} />)
  expect(screen.getByLabelText('Payment method')).toMatchObject({ value: method })
})
