// @vitest-environment happy-dom
import { act, fireEvent, renderHook, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { expect, it } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, renderInPage, stubServer } from '../ui/testing.tsx'
import type { OrderValues } from './order-values.ts'
import { LINE, ORDER } from './testing/order.ts'
import { useOrderEdit } from './use-order-edit.ts'

cleanUpAfterEach()

const conflict = (saved: Partial<AdminOrder>) => ({
  status: 409,
  body: { message: 'Changed by another person.', order: { ...ORDER, version: 2, ...saved } },
})

function open(first: AdminOrder = ORDER) {
  const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
  const useEdit = () => {
    const [order, setOrder] = useState(first)
    return useOrderEdit(order, setOrder, { areas: [] })
  }
  return renderHook(useEdit, { wrapper }).result
}

/** A save whose answer is lost, and another press, which finds the order as `saved`. */
async function saveTwice(typed: Partial<OrderValues>, saved: Partial<AdminOrder>, first = ORDER) {
  stubServer(null, conflict(saved))
  const edit = open(first)
  act(() => edit.current.form.setAll((values) => ({ ...values, ...typed })))
  await act(() => edit.current.form.submit())
  await act(() => edit.current.form.submit())
  return edit.current
}

const line = (changes: Partial<OrderValues['products'][number]>) =>
  ({ ...LINE, key: 1, quantity: '2', base_price: 120, price_on_order: '120', shipping: null, advance: null, ...changes }) as const
const savedLines = (changes: object) => [{ ...ORDER.lines[0]!, ...changes }] as AdminOrder['lines']

it.each<[string, Partial<OrderValues>, Partial<AdminOrder>]>([
  ['a note, composed by the keyboard and with a blank', { note: 'বা\u09dcি ' }, { note: 'বা\u09a1\u09bcি' }],
  ['a charge in Bengali digits', { shipping_cost: '৮০' }, { shipping_cost: 80 }],
  ['a charge with its sign', { shipping_cost: '৳1,080' }, { shipping_cost: 1080 }],
  ['a discount of nothing', { discount: '০', note: 'Gate 2' }, { note: 'Gate 2' }],
  ['a phone with the code of the country', { phone: '+8801711000008' }, { phone: '01711000008' }],
  ['a quantity in Bengali digits', { products: [line({ quantity: '৩' })] }, { lines: savedLines({ quantity: 3 }) }],
  [
    'a price above that of the product',
    { products: [line({ price_on_order: '150' })] },
    { lines: savedLines({ price_on_order: 150, base_price: 150 }) },
  ],
  [
    'a product chosen in the first line, stored as the last one',
    { products: [line({ product_id: 9, usual_price: 120 }), line({})] },
    { lines: [ORDER.lines[0]!, ...savedLines({ product_id: 9 })] },
  ],
  ['a product that was chosen', { products: [line({ product_id: 8, usual_price: 120 })] }, { lines: savedLines({ product_id: 8 }) }],
])('an order that a lost press has saved is no conflict: %s', async (_name, typed, saved) => {
  const { conflict, form } = await saveTwice(typed, saved)
  expect(conflict).toBeNull()
  expect(form).toMatchObject({ isDirty: false, problem: null })
})

it('of an order without a name too, as a walk-in sale has none', async () => {
  const { conflict } = await saveTwice({ note: 'বা\u09dcি ' }, { name: '', note: 'বা\u09a1\u09bcি' }, { ...ORDER, name: '' })
  expect(conflict).toBeNull()
})

it.each<[string, Partial<AdminOrder>]>([
  ['note', { note: 'Gate 3' }],
  ['charge', { note: 'Gate 2', shipping_cost: 61 }],
  ['line', { note: 'Gate 2', lines: savedLines({ quantity: 3 }) }],
])('an order with another %s is a conflict, in the words of the server: the page shows it', async (_name, saved) => {
  const { conflict } = await saveTwice({ note: 'Gate 2 ' }, saved)
  expect(conflict?.theirs).toMatchObject(saved)
  expect(pendingToasts().flatMap(({ kind, text }) => (kind === 'error' ? [text] : []))).toEqual(['Changed by another person.'])
})

function Cancelling() {
  const [order, setOrder] = useState(ORDER)
  const { conflict, dialogs, takeStep } = useOrderEdit(order, setOrder, { areas: [] })
  return (
    <>
      <button type="button" onClick={() => void takeStep('cancelled')}>
        Stop
      </button>
      <p>{conflict ? 'A conflict' : order.status}</p>
      {dialogs}
    </>
  )
}

it('a cancellation whose answer was lost is pressed again: its reason is no conflict', async () => {
  stubServer(null, conflict({ status: 'cancelled', reason: 'বা\u09a1\u09bcি' }))
  renderInPage(<Cancelling />)
  const stop = async (reason: string) => {
    await act(async () => fireEvent.click(screen.getByText('Stop')))
    const field = screen.getByLabelText<HTMLInputElement>(/Reason/)
    fireEvent.change(field, { target: { value: reason } })
    await act(async () => fireEvent.submit(field.closest('form')!))
  }
  await stop('বা\u09dcি ')
  await stop('বা\u09dcি ')
  screen.getByText('cancelled')
})
