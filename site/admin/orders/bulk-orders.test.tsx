// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { OrderStatus } from '#features/orders/rules.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { BulkOrders } from './bulk-orders.tsx'
import { recordKeys } from './testing/sent-keys.ts'

cleanUpAfterEach()

const order = (id: number, status: OrderStatus, due: number) => ({ id, version: 1, status, total: 500, due, delivered_first_on: null })

/** The question before all orders of a list get the status. */
function ask(to: OrderStatus): string {
  const picked = [
    order(1, 'placed', 0),
    order(2, 'delivered', 100),
    order(3, 'placed', 500),
    order(4, 'cancelled', 0),
    order(5, 'returned', 0),
  ]
  renderInPage(<BulkOrders picked={picked as never} clear={() => {}} hasMore={false} usedTags={[]} />)
  choose(to)
  return screen.getByRole('dialog').textContent
}

function choose(to: OrderStatus) {
  const select = screen.getByLabelText('Change status to')
  fireEvent.keyDown(select, { key: 'Enter' })
  fireEvent.change(select, { target: { value: to } })
}

const storedDrafts = () =>
  Object.keys(sessionStorage)
    .filter((key) => key.startsWith('draft:'))
    .map((key) => sessionStorage.getItem(key))
    .join()

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

it.each(['cancelled', 'returned'] as const)('before orders become %s, the live ones with payments are counted', (to) => {
  expect(ask(to)).toContain('Orders with payments: 2. ')
})

it.each(['all', 'picked'] as const)('the reason of %s orders survives closing and a reload, until it is sent', async (which) => {
  const picked = [order(1, 'placed', 0)] as never
  const counted = which === 'all' ? [{ status: 200, body: { count: 900, up_to: 7 } }] : []
  const done = { status: 200, body: { total: 900, results: [] } }
  stubServer(...counted, ...counted, null, done)
  vi.spyOn(location, 'reload').mockImplementation(() => {})
  const reason = () => screen.getByRole<HTMLInputElement>('textbox')
  async function openPage() {
    cleanup()
    renderInPage(<BulkOrders picked={picked} clear={() => {}} hasMore={which === 'all'} usedTags={[]} />)
    if (which === 'all') await press('Select all matching orders')
    choose('cancelled')
  }
  await openPage()
  fireEvent.change(reason(), { target: { value: 'Flood in Sylhet' } })
  await press('Cancel')
  choose('cancelled')
  expect(reason().value).toBe('Flood in Sylhet')
  // Nothing but the browser's storage outlives a reload.
  expect(storedDrafts()).toContain('Flood in Sylhet')
  await openPage()
  expect(reason().value).toBe('Flood in Sylhet')
  await press('Change')
  expect(reason().value).toBe('Flood in Sylhet')
  await press('Change')
  cleanup()
  expect(storedDrafts()).toBe('')
})

it('a press after a lost answer repeats the request', async () => {
  stubServer(null, { status: 200, body: { results: [] } })
  const keys = recordKeys()
  renderInPage(<BulkOrders picked={[order(1, 'placed', 500)] as never} clear={() => {}} hasMore={false} usedTags={[]} />)
  choose('processing')
  await press('Change')
  await press('Change')
  expect(keys).toEqual([{ key: expect.stringMatching(/^\S+$/), earlier: [] }, keys[0]])
})
