import { describe, expect, it } from 'vitest'
import { poisha } from '#lib/money.ts'
import { exceptionsOf } from './approval-rules.ts'

const line = (id: number, more: { price?: number; isPriceSet?: boolean; isHeld?: boolean } = {}) => {
  const price = poisha(more.price ?? 10_000)
  return { id, price, total: price, isPriceSet: more.isPriceSet ?? false, isHeld: more.isHeld ?? false }
}
const limit = { percent: 5, taka: 20 }

describe('what a cashier does not do alone', () => {
  it.each([
    ['nothing taken off', [line(1)], 0, limit, 0],
    ['as many percent as he may', [line(1)], 500, limit, 0],
    ['a poisha more', [line(1)], 501, limit, 501],
    ['of all lines together', [line(1), line(2)], 1000, limit, 0],
    ['more than so many taka', [line(1, { price: 100_000 })], 2001, limit, 2001],
    ['a device that has not heard of a limit', [line(1)], 9000, null, 0],
    ['a limit of nothing', [line(1)], 1, { percent: 0, taka: 0 }, 1],
  ])('discount: %s', (_what, lines, discount, of, expected) => {
    expect(exceptionsOf(lines, poisha(discount), of)).toEqual({ discount: expected, prices: [], held: [] })
  })

  it('prices that are set, and goods that are held', () => {
    const lines = [line(1), line(2, { price: 7, isPriceSet: true }), line(3, { isHeld: true })]
    expect(exceptionsOf(lines, poisha(0), limit)).toEqual({ discount: 0, prices: [{ id: 2, price: 7 }], held: [3] })
  })
})
