import { expect, test } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { exchangeBodyOf, exchangeState, type SaleExchange } from './exchange.ts'

const returned = (changes: Partial<SaleExchange> = {}): SaleExchange => ({
  orderId: 7,
  lines: [{ productId: 1, name: 'Mango', unit: 'kg', quantityMilli: 1500, spoiled: false }],
  reason: 'Sour',
  refund: poisha(12_340),
  cashCarried: poisha(0),
  method: 'cash',
  transactionId: 'TX1',
  ...changes,
})

test.each([
  ['for more', returned(), 20_000, true, 12_340, 0],
  ['for the same', returned(), 12_340, true, 12_340, 0],
  ['for less, exact', returned(), 10_000, false, 10_000, 2340],
  ['for less, in whole taka', returned(), 10_000, true, 10_000, 2300],
  ['for less, by bKash', returned({ method: 'bkash' }), 10_000, true, 10_000, 2340],
  ['for less, with rounding carried', returned({ cashCarried: poisha(40) }), 10_000, true, 10_000, 2400],
  ['for nothing yet', returned(), 0, false, 0, 12_340],
] as const)('%s', (_name, exchange, total, roundsCash, credit, paidBack) => {
  expect(exchangeState(exchange, poisha(total), roundsCash)).toEqual({ credit, paidBack })
})

test.each([null, undefined])('a sale without an exchange (%s) has no credit', (none) => {
  expect(exchangeState(none, poisha(100), true)).toEqual({ credit: 0, paidBack: 0 })
})

test('the difference goes back by one method', () => {
  const lines = [{ product_id: 1, quantity: '1.5', spoiled: false }]
  expect(exchangeBodyOf(returned({ method: 'bkash' }), poisha(2340))).toMatchObject({
    lines,
    reason: 'Sour',
    refund: { cash: 0, bkash: 23.4 },
    transaction_ids: { bkash: 'TX1' },
  })
  expect(exchangeBodyOf(returned({ method: 'bkash' }), poisha(0))).toMatchObject({ refund: { bkash: 0 }, transaction_ids: { bkash: '' } })
})
