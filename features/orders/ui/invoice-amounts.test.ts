import { expect, it } from 'vitest'
import { amountToSpell, orderDiscount, orderTotals } from './invoice-amounts.ts'

const order = { status: 'delivered', total: 118_980, settlement: 0, fee: 0, written_off: 0, paid: 0, due: 118_980, payments: [] } as const

it.each([
  ['unpaid', order, { asOrdered: null, closed: 0, charged: 118_980, state: 'due', amount: 118_980 }, 118_980],
  [
    'weighed heavier, partly paid',
    { ...order, settlement: 4420, paid: 10_000, due: 113_400 },
    { asOrdered: 118_980, closed: 0, charged: 123_400, state: 'due', amount: 113_400 },
    123_400,
  ],
  [
    'weighed lighter, overpaid',
    { ...order, settlement: -500.5, paid: 118_980, due: -500.5 },
    { asOrdered: 118_980, closed: 0, charged: 118_479.5, state: 'refund-due', amount: 500.5 },
    118_479.5,
  ],
  [
    'cancelled, refund due',
    { ...order, status: 'cancelled', settlement: 4420, paid: 10_000, due: -10_000, payments: [{ kind: 'advance', amount: 10_000 }] },
    { asOrdered: 118_980, closed: -123_400, charged: 0, state: 'refund-due', amount: 10_000 },
    10_000,
  ],
  [
    'cancelled, refunded',
    {
      ...order,
      status: 'cancelled',
      paid: 0,
      due: 0,
      payments: [
        { kind: 'advance', amount: 10_000 },
        { kind: 'refund', amount: -10_000 },
      ],
    },
    { asOrdered: 118_980, closed: -118_980, charged: 0, state: 'refunded', amount: 10_000 },
    null,
  ],
  [
    'cancelled, never paid',
    { ...order, status: 'cancelled', due: 0 },
    { asOrdered: 118_980, closed: -118_980, charged: 0, state: 'none', amount: 0 },
    null,
  ],
  [
    'all taken back at the POS',
    { ...order, status: 'returned', total: 300, settlement: -300, due: 0, payments: [{ kind: 'refund', amount: -300 }] },
    { asOrdered: 300, closed: 0, charged: 0, state: 'refunded', amount: 300 },
    null,
  ],
] as const)('%s', (_, order, totals, spelled) => {
  expect(orderTotals(order)).toEqual(totals)
  expect(amountToSpell(orderTotals(order), order.status)).toBe(spelled)
})

it.each([
  [
    'product discounts, which are in the lines',
    { lines: [{ line_total: 320 }, { line_total: 390.5 }], shipping_cost: 80, total: 790.5 },
    0,
  ],
  ['a coupon', { lines: [{ line_total: 1000 }, { line_total: 0.1 }, { line_total: 0.2 }], shipping_cost: 80, total: 980 }, -100.3],
  ['nothing charged', { lines: [{ line_total: 170 }], shipping_cost: 0, total: 0 }, -170],
])('the discount of an order with %s', (_, sums, discount) => {
  expect(orderDiscount(sums)).toBe(discount)
})
