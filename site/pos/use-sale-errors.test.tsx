// @vitest-environment happy-dom
import { act, useSyncExternalStore } from 'react'
import { expect, it, vi } from 'vitest'
import { renderInPage } from '../admin/ui/testing.tsx'
import { newSale } from './sale.ts'
import { SaleStore } from './sale-store.ts'
import { useSaleErrors } from './use-sale-errors.ts'

vi.mock('./device/catalog.ts', () => ({ refreshCatalog: () => {} }))
vi.mock('./device/shop-terms.ts', () => ({ refreshTerms: async () => {} }))

it.each([
  ['on_account', { onAccount: '300' }],
  ['store_credit', { storeCredit: '60' }],
  ['discount', { discount: '' }],
  ['transactions.nagad', { nagad: '' }],
  ['transaction_ids.nagad', { nagadId: 'NAGAD12345' }],
])('the error of %s ends when its input is changed, and not before', (field, change) => {
  const store = new SaleStore()
  store.set({ ...newSale('k1'), onAccount: '300.01', storeCredit: '70', discount: '50', nagad: '10', nagadId: 'NAGAD1' })
  let current!: ReturnType<typeof useSaleErrors>
  const Probe = () => {
    useSyncExternalStore(store.subscribe, store.get)
    current = useSaleErrors(store)
    return null
  }
  renderInPage(<Probe />)
  act(() => current.reject({ message: 'Refused', errors: { [field]: ['Refused'], email: ['Wrong'] } }))
  act(() => store.set((now) => ({ ...now, phone: '01712345678' })))
  expect(current.errors).toEqual({ [field]: ['Refused'], email: ['Wrong'] })
  act(() => store.set((now) => ({ ...now, ...change })))
  expect(current.errors).toEqual({ email: ['Wrong'] })
})
