// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { newSale } from './sale.ts'
import { SaleStore } from './sale-store.ts'
import { readSessionSale } from './session-sale.ts'

const CASHIER = 7

beforeEach(() => {
  sessionStorage.clear()
  // The sale of the tab is this cashier's from now on.
  readSessionSale(CASHIER)
})

const storedPhone = () => readSessionSale(CASHIER)?.sale.phone

it('a sale that the outbox has stays out of the storage when it changes, until it is back on the screen', () => {
  const store = new SaleStore()
  store.set({ ...newSale('k1'), phone: '01711000001' })
  expect(storedPhone()).toBe('01711000001')
  store.unpersist()
  store.set((now) => ({ ...now, phone: '01711000002' }))
  expect([store.get().phone, storedPhone()]).toEqual(['01711000002', ''])
  store.persist()
  expect(storedPhone()).toBe('01711000002')
  store.set((now) => ({ ...now, phone: '01711000003' }))
  expect(storedPhone()).toBe('01711000003')
})

it('the next sale on the screen is stored', () => {
  const store = new SaleStore()
  store.set({ ...newSale('k1'), phone: '01711000001' })
  store.unpersist()
  store.set({ ...newSale('k2'), phone: '01711000002' })
  expect(storedPhone()).toBe('01711000002')
})
