// @vitest-environment happy-dom
import { act, fireEvent, renderHook, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { expect, it } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, renderInPage, stubServer } from '../ui/testing.tsx'
import { readDraft, storeDraft } from '../ui/draft.ts'
import type { OrderValues } from './order-values.ts'
import { LINE, ORDER } from './testing/order.ts'
import { recordKeys } from './testing/sent-keys.ts'
import { useOrderEdit } from './use-order-edit.ts'

cleanUpAfterEach()

const saved = (version: number, changes: Partial<AdminOrder>) => ({ ...ORDER, version, ...changes })
const answer = (status: number, order: AdminOrder) => ({ status, body: { message: 'Changed by another person.', order } })

function open(first: AdminOrder = ORDER) {
  const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
  const useEdit = () => {
    const [order, setOrder] = useState(first)
    return useOrderEdit(order, setOrder, { areas: [] })
  }
  return renderHook(useEdit, { wrapper }).result
}
type Edit = ReturnType<typeof open>

async function press(edit: Edit, typed: Partial<OrderValues> = {}) {
  act(() => edit.current.form.setAll((values) => ({ ...values, ...typed })))
  await act(() => edit.current.form.submit())
}

it('a press after a lost answer repeats its key', async () => {
  const sent = stubServer(null, answer(200, saved(2, { note: 'Gate 2' })))
  const keys = recordKeys()
  const edit = open()
  await press(edit, { note: 'Gate 2 ' })
  await press(edit)
  expect(sent[1]).toEqual(sent[0])
  expect(keys[1]).toEqual(keys[0])
  expect(edit.current).toMatchObject({ conflict: null, form: { isDirty: false, problem: null, values: { note: 'Gate 2' } } })
})

it('after other words it has another key, names the earlier one, and sends also what was typed back', async () => {
  const sent = stubServer(null, { status: 503, body: { message: 'Busy' } }, answer(200, saved(4, { note: 'Gate 3' })), null)
  const keys = recordKeys()
  const edit = open()
  await press(edit, { note: 'Gate 2', name: 'Karima', shipping_cost: '90' })
  await press(edit, { note: 'Gate 3', name: 'Karim', discount: '5' })
  await press(edit, { shipping_cost: '', discount: '' })
  expect(sent.map(({ body }) => body)).toEqual([
    { note: 'Gate 2', name: 'Karima', shipping_cost: '90', address: 'House 1', version: 1 },
    { note: 'Gate 3', name: 'Karim', shipping_cost: '90', discount: '5', address: 'House 1', version: 1 },
    { note: 'Gate 3', name: 'Karim', shipping_cost: '60', discount: 0, address: 'House 1', version: 1 },
  ])
  expect(keys[2]!.earlier.slice(-2)).toEqual([keys[0]!.key, keys[1]!.key])
  // After an answer the edit begins again.
  await press(edit, { landmark: 'Bridge' })
  expect(sent.at(-1)?.body).toEqual({ landmark: 'Bridge', address: 'House 1', version: 4 })
})

it('what another person saved meanwhile is a conflict, in the words of the server: the page shows it', async () => {
  stubServer(null, answer(409, saved(3, { note: 'Gate 2', name: 'Jamal' })))
  const edit = open()
  await press(edit, { note: 'Gate 2' })
  await press(edit)
  expect(edit.current.conflict?.theirs).toMatchObject({ version: 3, name: 'Jamal' })
  expect(pendingToasts().flatMap(({ kind, text }) => (kind === 'error' ? [text] : []))).toEqual(['Changed by another person.'])
})

it('another action of the page that answers the order with what the lost press has saved leaves nothing to save', async () => {
  stubServer(null)
  const edit = open()
  await press(edit, { note: 'Gate 2 ' })
  act(() => edit.current.adopt(saved(3, { note: 'Gate 2', paid: 500 })))
  expect(edit.current.form).toMatchObject({ isDirty: false, values: { note: 'Gate 2' } })
})

it('a lost press that was saved is no conflict with other words after another action of the page', async () => {
  const sent = stubServer(null, answer(200, saved(4, { note: 'Gate 2', landmark: 'Bridge' })))
  const edit = open()
  await press(edit, { note: 'Gate 2 ' })
  act(() => edit.current.form.set('landmark', 'Bridge'))
  act(() => edit.current.adopt(saved(3, { note: 'Gate 2', paid: 500 })))
  expect(edit.current.form).toMatchObject({ isDirty: true, values: { note: 'Gate 2', landmark: 'Bridge' } })
  await press(edit)
  expect(sent.at(-1)?.body).toEqual({ landmark: 'Bridge', address: 'House 1', version: 3 })
})

it.each([
  ['are no draft where the order has them', 3, null],
  ['are a draft where it has others', 2, 'old'],
])('changed lines after a lost press and a reload %s', (_name, quantity, restored) => {
  const typed = {
    ...LINE,
    key: 1,
    quantity: '৩',
    base_price: 120,
    price_on_order: '120.00',
    usual_price: 120,
    shipping: null,
    advance: null,
  }
  storeDraft('1:order-15', { values: { products: [typed] }, version: 1 })
  const edit = open(saved(2, { lines: [{ ...ORDER.lines[0]!, quantity }] }))
  expect(edit.current.form).toMatchObject({ restored, isDirty: restored !== null })
  expect(readDraft('1:order-15') === null).toBe(restored === null)
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
      {...dialogs}
    </>
  )
}

it('a cancellation whose answer was lost is pressed again with its reason: the same request', async () => {
  const sent = stubServer(null, answer(200, saved(2, { status: 'cancelled', reason: 'Late' })))
  const keys = recordKeys()
  renderInPage(<Cancelling />)
  const stop = async (reason: string) => {
    await act(async () => fireEvent.click(screen.getByText('Stop')))
    const field = screen.getByLabelText<HTMLInputElement>(/Reason/)
    fireEvent.change(field, { target: { value: reason } })
    await act(async () => fireEvent.submit(field.closest('form')!))
  }
  await stop('Late')
  await stop('Late')
  screen.getByText('cancelled')
  expect([sent[1], keys[1]]).toEqual([sent[0], keys[0]])
})
