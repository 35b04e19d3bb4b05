// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../admin/ui/testing.tsx'
import { AccountTender } from './account-tender.tsx'
import { getSaleState, newSale, type Sale } from './sale.ts'

cleanUpAfterEach()

const LINE = { id: 1, name: 'Mango', unit: 'kg', price: poisha(14_500), quantity: '1', image: null, isAnimal: false } as const
const SHOP = {
  areas: [],
  roundsCash: false,
  walkInSales: false,
  days: { cutoffHour: 21, calendar: { daysAhead: 3, closedWeekdays: [], fullDays: {} }, isCollectionOffered: true },
}

it('store credit of a customer who was entered without network is known once the network is back', async () => {
  const sent = stubServer(null, { status: 200, body: { account: null, store_credit: 80 } })
  const lines = [{ ...LINE, group: 'produce', shipping: poisha(0) } as const]
  const sale: Sale = { ...newSale('k1'), lines, phone: '01712345678', storeCredit: '50' }
  renderInPage(<AccountTender sale={sale} state={getSaleState(sale, SHOP)} error={undefined} onChange={() => {}} />)
  await screen.findByText('A sale with store credit needs the network.')
  act(() => void window.dispatchEvent(new Event('online')))
  await screen.findByText('৳80 left')
  expect(screen.queryByText('This customer has no store credit.')).toBe(null)
  expect(new Set(sent.map(({ url }) => url))).toEqual(new Set(['/api/admin/quick-orders/account?phone=01712345678']))
})
