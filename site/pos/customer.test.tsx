// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage, stubServer } from '../admin/ui/testing.tsx'
import { AccountTender } from './account-tender.tsx'
import { PosCustomer } from './customer.tsx'
import { posCall } from './device/network.ts'
import { getSaleState, newSale, type Sale } from './sale.ts'

cleanUpAfterEach()
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const PHONE = '01712345678'
const SHOP = {
  areas: [],
  roundsCash: false,
  walkInSales: false,
  days: { cutoffHour: 21, calendar: { daysAhead: 3, closedWeekdays: [], fullDays: {} }, isCollectionOffered: true },
}
const LOST = null
const BUSY = { status: 503, body: { message: 'The shop is busy.' } }
const TOO_MANY = { status: 429, body: { message: 'Too many requests.' } }

/** The customer of a sale whose phone was typed. */
function Customer() {
  const [sale, setSale] = useState<Sale>({ ...newSale('k1'), phone: PHONE })
  const terms = { areas: [], walkInSales: false, isCollectionOffered: false, days: '', rejection: null }
  return <PosCustomer sale={sale} {...terms} onChange={(changes) => setSale((now) => ({ ...now, ...changes }))} />
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

it.each([[[LOST, LOST]], [[BUSY]], [[TOO_MANY, BUSY]]])(
  'a customer whose lookup had no answer is looked up again: %j',
  async (failures) => {
    const sent = stubServer(...failures, { status: 200, body: { customer: { name: 'Karim', email: '' } } })
    renderInPage(<Customer />)
    await pass(10_000)
    expect(screen.getByText('Known customer: Karim')).not.toBe(null)
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Karim')
    expect(sent).toHaveLength(failures.length + 1)
    await pass(120_000)
    expect(sent).toHaveLength(failures.length + 1)
  },
)

it('a customer is filled in with the answer, not after a rendering that may show the next sale', async () => {
  stubServer({ status: 200, body: { customer: { name: 'Karim', email: '' } } })
  const onChange = vi.fn<(changes: Partial<Sale>) => void>()
  const terms = { areas: [], walkInSales: false, isCollectionOffered: false, days: '', rejection: null }
  renderInPage(<PosCustomer sale={{ ...newSale('k1'), phone: PHONE }} {...terms} onChange={onChange} />)
  await act(async () => {
    await vi.advanceTimersByTimeAsync(0)
    expect(onChange).toHaveBeenCalledWith({ name: 'Karim', email: '' })
  })
})

it('an account whose lookup met a busy shop is looked up again', async () => {
  stubServer(BUSY, { status: 200, body: { account: null, store_credit: 80 } })
  const sale: Sale = { ...newSale('k1'), phone: PHONE }
  renderInPage(<AccountTender sale={sale} state={getSaleState(sale, SHOP)} error={undefined} onChange={() => {}} />)
  await pass(10_000)
  expect(screen.getByText('৳80 left')).not.toBe(null)
})

it('a lookup that the shop rejects is not repeated', async () => {
  const sent = stubServer({ status: 403, body: { message: 'Not allowed.' } })
  renderInPage(<Customer />)
  await pass(120_000)
  expect(sent).toHaveLength(1)
})

it('a customer who was looked up without network is found as soon as another call succeeds', async () => {
  stubServer(LOST, { status: 200, body: {} }, { status: 200, body: { customer: { name: 'Karim', email: '' } } })
  renderInPage(<Customer />)
  await pass(500)
  await act(() => posCall('/api/admin/quick-orders/terms'))
  await pass(0)
  expect(screen.getByText('Known customer: Karim')).not.toBe(null)
})
