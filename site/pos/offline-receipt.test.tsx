// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import type { QueuedSale } from './device/outbox-rules.ts'
import { DeviceReceipt } from './offline-receipt.tsx'
import { storeRegister } from './register.ts'
import { newSale, type Sale } from './sale.ts'
import { renderInPage } from '../admin/ui/testing.tsx'

// The receipt without network says what the shop's own says: cash, change, cashier, shift, register, address.

window.print = () => {}
Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: Promise.resolve() } })

const line = { id: 1, name: 'Mango', unit: 'kg', price: poisha(12_375), quantity: '1', image: null, isAnimal: false } as const
const sale: Sale = { ...newSale(), phone: '01712345678', lines: [{ ...line, group: 'produce', shipping: poisha(0) }] }
const sums = { sub_total: 123.75, shipping_cost: 0, discount: 0, total: 123.75, shift_id: 12 }
const textOf = (own: Sale, body: object) => {
  const queued = {
    key: own.key,
    cashier: { id: 4, name: 'Shirin' },
    soldAt: '2026-11-20T06:00:00Z',
    total: 123.75,
    sale: own,
    body: { ...sums, ...body },
  }
  const { container } = renderInPage(
    <DeviceReceipt queued={queued as unknown as QueuedSale} orderId={null} reason="network" isCopy={false} />,
  )
  return [...container.querySelectorAll('[data-receipt] p, [data-receipt] dl > div')].map((row) => row.textContent).join(' | ')
}

it('prints rounded cash as handed over, the change, cashier, shift and register', () => {
  storeRegister('2', 7)
  const text = textOf(sale, { change_amount: 376, transactions: { cash: 500, bkash: 0, bank: 0 } })
  expect(text).toContain('Cashier: Shirin · Shift 12 · Counter: 2')
  expect(text).toContain('Total৳123.75 | Cash rounding৳0.25 | Cash৳500 | Change৳376')
  expect(text).not.toContain('Deliver to')
})

it('prints no rounding of an exact sale, and the address of a delivery', () => {
  storeRegister('', null)
  const delivered = { ...sale, deliver: true, address: 'House 5, Road 3' }
  const text = textOf(delivered, { change_amount: 0, transactions: { cash: 23.75, bkash: 100, bank: 0 } })
  expect(text).toContain('Deliver to: House 5, Road 3')
  expect(text).toContain('Cashier: Shirin · Shift 12 |')
  expect(text).toContain('Total৳123.75 | Cash৳23.75 | bKash৳100')
  expect(text).not.toContain('Cash rounding')
})
