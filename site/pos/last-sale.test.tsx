// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { renderInPage } from '../admin/ui/testing.tsx'
import type { QueuedSale } from './device/outbox-rules.ts'
import type { SaleExchange } from './exchange.ts'
import { LastSalePanel } from './last-sale.tsx'

// Amounts of the last sale. 1000 − 876.70 is no number with two decimals in JavaScript.

function shown(queued: object): string {
  const sale = { key: 'a52-652f0-11', soldAt: '2026-11-20T06:00:00Z', sale: null, state: 'sold', cashier: { id: 4, name: 'Shirin' } }
  const last = { queued: { ...sale, ...queued } as unknown as QueuedSale, orderId: 7, reason: null }
  const { container } = renderInPage(<LastSalePanel last={last} receipt={null} onPrint={() => {}} />)
  return [...container.querySelectorAll('dl > div')].map((row) => row.textContent).join(' | ')
}

it.each([
  [123.3, 1000, 876.7, 'Total৳123.30 | Paid৳1,000 | Change৳876.70'],
  [0.01, 500, 499.99, 'Total৳0.01 | Paid৳500 | Change৳499.99'],
  [876.7, 1000, 123.3, 'Total৳876.70 | Paid৳1,000 | Change৳123.30'],
])('of %d paid with %d', (total, paid_amount, change_amount, text) => {
  expect(shown({ total, body: { paid_amount, change_amount } })).toBe(text)
})

it('scrolls into view once, where a phone was scrolled down to the payment', () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
  shown({ total: 120, body: { paid_amount: 200, change_amount: 80 } })
  expect(scroll.mock.contexts.map((element) => (element as HTMLElement).dataset.lastSale)).toEqual(['7'])
  expect(scroll).toHaveBeenCalledWith({ block: 'nearest' })
})

it('with store credit, on account, and cash rounding', () => {
  const body = { paid_amount: 500, change_amount: 376.7, store_credit: 0.1, on_account: 0.2 }
  expect(shown({ total: 123.6, body })).toBe('Total৳123.60 | Store credit৳0.10 | On account৳0.20 | Paid৳500 | Change৳376.70')
  expect(shown({ total: 123.75, body: { paid_amount: 500, change_amount: 376 } })).toBe('Total৳124 | Paid৳500 | Change৳376')
})

it('of an exchange that pays back', () => {
  const exchange = { refund: poisha(50_010) } as SaleExchange
  const body = { paid_amount: 0, change_amount: 0, exchange: { refund: { cash: 376.8 } } }
  expect(shown({ total: 123.3, body, sale: { exchange } })).toBe(
    'Total৳123.30 | Value returned৳500.10 | Paid৳0 | To refund৳376.80 | Change৳0',
  )
})
