// @vitest-environment happy-dom
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { renderInPage } from '../admin/ui/testing.tsx'
import { PrintInPlace } from './print-in-place.tsx'
import { newSale } from './sale.ts'
import type { LastSale } from './use-last-sale.ts'
import { useReceipts } from './use-receipts.ts'

// The receipt of a sale that is printed once more from the POS page is marked as a copy.

const printed: string[] = []
vi.mock('./hardware/use-printer.ts', () => ({
  useReceiptPrinter: () => ({
    print: () => Promise.resolve(void printed.push(document.querySelector('[data-receipt] header')?.textContent ?? '')),
    problem: null,
  }),
}))
Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: Promise.resolve() } })

const line = { id: 1, name: 'Mango', unit: 'kg', price: poisha(12_375), quantity: '1', image: null, isAnimal: false } as const
const sale = { ...newSale(), lines: [{ ...line, group: 'produce', shipping: poisha(0) }] }
const body = { sub_total: 123.75, shipping_cost: 0, discount: 0, total: 123.75, change_amount: 0, transactions: { cash: 123.75 } }
const queued = { key: sale.key, cashier: { id: 4, name: 'Shirin' }, soldAt: '2026-11-20T06:00:00Z', total: 123.75, sale, body }
const last = { queued, orderId: null, reason: 'network' } as unknown as LastSale

it('the first print is the original, the next one a copy, and the first print of the next sale is no copy', async () => {
  let receipts: ReturnType<typeof useReceipts>
  function Counter() {
    receipts = useReceipts()
    return <PrintInPlace receipt={receipts.receipt} />
  }
  renderInPage(<Counter />)
  for (const [at, isFirst] of [true, false, true].entries()) {
    act(() => receipts.print(last, isFirst))
    await expect.poll(() => printed.length).toBe(at + 1)
  }
  expect(printed.map((text) => text.includes('Copy'))).toEqual([false, true, false])
})
