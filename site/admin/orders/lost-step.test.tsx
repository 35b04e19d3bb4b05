// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { recordKeys } from './testing/sent-keys.ts'
import { useOrderEdit } from './use-order-edit.ts'

cleanUpAfterEach()

const ORDER = {
  id: 15,
  version: 1,
  name: 'Karim',
  phone: '01711000009',
  address: 'House 1',
  status: 'on_delivery',
  reason: null,
  shipping_cost: 60,
  discount: 0,
  paid: 0,
  advances: [],
  reviews: [],
  lines: [],
} as unknown as AdminOrder

function Delivery() {
  const [order, setOrder] = useState(ORDER)
  const { form, conflict, dialogs, takeStep } = useOrderEdit(order, setOrder, { areas: [] })
  return (
    <>
      <button type="button" onClick={() => void takeStep('delivered')}>
        Deliver
      </button>
      <p>{conflict ? 'A conflict' : `${order.status} ${form.problem}`}</p>
      {...dialogs}
    </>
  )
}

const OFFLINE = 'Can’t reach the shop. Try again when you’re back online.'
const LATE = 'Temporarily unavailable. Please try again in a moment.'

it.each([
  ['lost', null, OFFLINE],
  ['late', { status: 503, body: { message: LATE } }, LATE],
  ['one of a proxy', { status: 504, body: null }, OFFLINE],
])('a delivery whose answer was %s is pressed again: the money that it recorded is no conflict', async (_name, lost, toast) => {
  const check = { id: 15, name: 'Karim', due: 700, refund: 0, animals: [], second_on: null }
  const sent = stubServer(
    { status: 200, body: { checks: [check], has_drawer: false } },
    lost,
    { status: 200, body: { checks: [], has_drawer: false } },
    { status: 200, body: { order: { ...ORDER, version: 2, status: 'delivered', paid: 700 } } },
  )
  const keys = recordKeys()
  renderInPage(<Delivery />)
  const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
  await press('Deliver')
  await press(/৳700/)
  // Nothing is left to save: the step is pressed again.
  screen.getByText('on_delivery null')
  expect(pendingToasts().at(-1)?.text).toBe(toast)
  await press('Deliver')
  // The page does not know what the lost press recorded.
  expect(screen.getByRole('dialog').textContent).not.toContain('Nothing has been paid')
  await press('Mark as delivered')
  screen.getByText('delivered null')
  const [first, second] = sent.filter(({ url }) => url.includes('/update/'))
  expect([first?.body, second?.body]).toMatchObject([{ collected: '700' }, { status: 'delivered', version: 1 }])
  expect(second?.body).not.toHaveProperty('collected')
  expect(keys.at(-1)!.earlier).toContain(keys.find(({ key }) => key !== undefined)!.key)
})
