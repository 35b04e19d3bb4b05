import { expect, test } from 'vitest'
import { taka, ZERO } from '#lib/format/money.ts'
import { minAdvance } from './advance-terms-rules.ts'

const cow: Parameters<typeof minAdvance>[0] = {
  price: 250_000,
  discount: null,
  discount_type: null,
  size: null,
  is_unique: true,
  advance_minimum: 10_000,
  advance_percentage: 5,
  advance_round_figure: 500,
}
const fruit = { ...cow, price: 100, size: '20,5', is_unique: false, advance_minimum: 0, advance_percentage: 0 }

test.each<[what: string, product: typeof cow, expected: number]>([
  ['a share that is more than the minimum', cow, 12_500],
  ['a minimum that is more than the share', { ...cow, price: 120_000 }, 10_000],
  [
    'a share of the price after its discount, raised to the round figure',
    { ...cow, price: 241_000, discount: 1000, discount_type: 'fixed' },
    12_000,
  ],
  ['a share of the smallest quantity, no minimum', { ...fruit, advance_percentage: 50, advance_round_figure: 0 }, 250],
  ['never more than the price of the line', { ...fruit, advance_minimum: 900 }, 500],
  ['none', fruit, 0],
])('the minimum advance of a product: %s', (_what, product, expected) => {
  expect(minAdvance(product)).toBe(expected === 0 ? ZERO : taka(expected))
})
