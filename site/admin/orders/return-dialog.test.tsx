// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, stubServer } from '../ui/testing.tsx'

cleanUpAfterEach()

const LINE = { product_id: 7, product_name: 'Mango', quantity: 10, returned: 0, unit: 'kg', line_total: 1200, own_discount: 0, weighed: 0 }
const SUMS = { total: 1200, shipping_cost: 0, paid: 0, fee: 0, returned_worth: 0, due: 1200, written_off: 0 }
const ORDER = { id: 15, version: 3, status: 'delivered', ...SUMS, lines: [LINE] } as unknown as AdminOrder

/** Loads the page with new modules, as a reload does, and opens the dialog. */
async function openPage(order: AdminOrder) {
  vi.resetModules()
  const { renderInPage } = await import('../ui/testing.tsx')
  const { ReturnDialog } = await import('./return-dialog.tsx')
  function Page() {
    const [saved, setSaved] = useState(order)
    return <ReturnDialog order={saved} close={() => {}} onChange={setSaved} />
  }
  return renderInPage(<Page />)
}

const quantity = () => screen.getByLabelText<HTMLInputElement>('Return quantity of Mango')
const reason = () => screen.getByLabelText<HTMLInputElement>(/Reason/)

async function typeReturn() {
  const page = await openPage(ORDER)
  fireEvent.change(quantity(), { target: { value: '4' } })
  fireEvent.change(reason(), { target: { value: 'Not ripe' } })
  return page
}

it('a reload leaves the typed return, until it is recorded', async () => {
  const page = await typeReturn()
  page.unmount()
  const again = await openPage(ORDER)
  expect([quantity().value, reason().value]).toEqual(['4', 'Not ripe'])
  const after = { ...ORDER, version: 4, lines: [{ ...LINE, returned: 4 }] } as unknown as AdminOrder
  const sent = stubServer({ status: 200, body: { return_id: 1, order: after } })
  await act(async () => fireEvent.submit(quantity().closest('form')!))
  expect(sent.map(({ body }) => body)).toMatchObject([{ lines: [{ product_id: 7, quantity: '4' }], reason: 'Not ripe', version: 3 }])
  again.unmount()
  await openPage(after)
  expect([quantity().value, reason().value]).toEqual(['', ''])
})

it('after a conflict and a reload the typed return is there beside the order as it is saved', async () => {
  const page = await typeReturn()
  const saved = { ...ORDER, version: 5 }
  stubServer({ status: 409, body: { message: 'Changed.', order: saved } })
  await act(async () => fireEvent.submit(quantity().closest('form')!))
  page.unmount()
  await openPage(saved)
  expect([quantity().value, reason().value]).toEqual(['4', 'Not ripe'])
})
