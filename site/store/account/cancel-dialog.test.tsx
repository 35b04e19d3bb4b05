// @vitest-environment happy-dom
import '#messages/en-account.ts'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import type { OwnOrder } from '#features/orders/history/own-orders.server.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, stubServer } from '../../admin/ui/testing.tsx'
import { CancelDialog } from './cancel-dialog.tsx'

cleanUpAfterEach()

it('a second try after a lost answer shows the order as cancelled', async () => {
  const closed = { id: 7, status: 'cancelled' } as OwnOrder
  stubServer(null, { status: 409, body: { message: 'This order is already closed.', order: closed } })
  const shown: OwnOrder[] = []
  render(
    <AppRoot shell={PAGE}>
      <CancelDialog order={{ id: 7, status: 'placed' } as OwnOrder} onClose={() => {}} onCancelled={(order) => shown.push(order)} />
    </AppRoot>,
  )
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'mind' } })
  const send = () => fireEvent.submit(document.querySelector('form')!)
  send()
  await screen.findByText('The order could not be cancelled. Please try again.')
  send()
  await expect.poll(() => shown).toEqual([closed])
})

it('a late rejection is told, and not in the dialog of another order', async () => {
  const answer = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => answer.promise)
  const dialogOf = (id: number) => (
    <AppRoot shell={PAGE}>
      <CancelDialog order={{ id, status: 'placed' } as OwnOrder} onClose={() => {}} onCancelled={() => {}} />
    </AppRoot>
  )
  const { rerender } = render(dialogOf(7))
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'mind' } })
  fireEvent.submit(document.querySelector('form')!)
  rerender(dialogOf(8))
  await act(async () => answer.resolve(Response.json({ message: 'Order 7 is on its way.' }, { status: 409 })))
  await expect.poll(() => pendingToasts().at(-1)?.text).toBe('Order 7 is on its way.')
  expect(screen.queryByRole('alert')).toBe(null)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel order' }).disabled).toBe(false)
})
