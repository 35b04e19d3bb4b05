import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { returnedValue, returnSums, type SoldLine, type SoldOrder } from './return-rules.ts'

const line = (productId: number, quantityMilli: number, total: number, returnedMilli = 0, weighed = 0): SoldLine => ({
  productId,
  quantityMilli,
  returnedMilli,
  total: poisha(total),
  discount: poisha(0),
  weighed: poisha(weighed),
})
const discounted = (one: SoldLine, discount: number): SoldLine => ({ ...one, discount: poisha(discount) })
const sold = (lines: SoldLine[], more: Partial<SoldOrder> = {}): SoldOrder => {
  const total = poisha(lines.reduce((sum, one) => sum + one.total, 0))
  return { total, shipping: poisha(0), paid: total, returnedWorth: poisha(0), lines, ...more }
}

describe('the value of a return', () => {
  it.each<[string, SoldOrder, [number, number][], [worth: number, refund: number, isAll: boolean]]>([
    ['half of a line', sold([line(1, 2000, 24_000)]), [[1, 1000]], [12_000, 12_000, false]],
    ['all of it', sold([line(1, 2000, 24_000)]), [[1, 2000]], [24_000, 24_000, true]],
    ['a third, with a rest', sold([line(1, 3000, 10_000)]), [[1, 1000]], [3333, 3333, false]],
    [
      'a line less its share of the discount',
      sold([line(1, 1000, 9000), line(2, 1000, 1000)], { total: poisha(9000), paid: poisha(9000) }),
      [[1, 1000]],
      [8100, 8100, false],
    ],
    [
      'a line whose discount was given on another line alone',
      sold([discounted(line(1, 1000, 10_000), 5000), line(2, 1000, 100_000)], { total: poisha(105_000), paid: poisha(105_000) }),
      [[2, 1000]],
      [100_000, 100_000, false],
    ],
    [
      'half of a line with a discount of its own, and its share of the rest',
      sold([discounted(line(1, 2000, 10_000), 5000), line(2, 1000, 15_000)], { total: poisha(18_000), paid: poisha(18_000) }),
      [[1, 1000]],
      [2250, 2250, false],
    ],
    [
      'a line with a discount of its own that the edited order has no more',
      sold([discounted(line(1, 1000, 10_000), 5000), line(2, 1000, 10_000)], { total: poisha(18_000), paid: poisha(18_000) }),
      [[1, 1000]],
      [9000, 9000, false],
    ],
    [
      'the delivery stays while goods do',
      sold([line(1, 2000, 24_000)], { total: poisha(32_000), shipping: poisha(8000), paid: poisha(32_000) }),
      [[1, 1000]],
      [12_000, 12_000, false],
    ],
    [
      'all, the delivery too',
      sold([line(1, 2000, 24_000)], { total: poisha(32_000), shipping: poisha(8000), paid: poisha(32_000) }),
      [[1, 2000]],
      [32_000, 32_000, true],
    ],
    ['nothing was paid', sold([line(1, 2000, 24_000)], { paid: poisha(0) }), [[1, 1000]], [12_000, 0, false]],
    [
      'paid in part: what is kept is paid first',
      sold([line(1, 2000, 24_000)], { paid: poisha(15_000) }),
      [[1, 1000]],
      [12_000, 3000, false],
    ],
    ['some has gone back otherwise', sold([line(1, 2000, 24_000)], { paid: poisha(19_000) }), [[1, 2000]], [24_000, 19_000, true]],
    [
      'an animal at its final weight; the discount was given on the booked price',
      sold([line(1, 1000, 100_000, 0, 20_000), line(2, 1000, 100_000)], { total: poisha(180_000), paid: poisha(200_000) }),
      [[1, 1000]],
      [110_000, 110_000, false],
    ],
    [
      'the rest after a lighter animal',
      sold([line(1, 1000, 100_000, 1000, -20_000), line(2, 1000, 100_000)], { paid: poisha(100_000), returnedWorth: poisha(80_000) }),
      [[2, 1000]],
      [100_000, 100_000, true],
    ],
    ['a herd, exactly', sold([line(1, 7000, 900_000_000_001)]), [[1, 3000]], [385_714_285_715, 385_714_285_715, false]],
  ])('%s', (_name, order, requested, [worth, refund, isAll]) => {
    expect(
      returnSums(
        order,
        requested.map(([productId, quantityMilli]) => ({ productId, quantityMilli })),
      ),
    ).toEqual({ worth, refund, isAll })
  })

  it('many small returns refund exactly what was paid, and never more on the way', () => {
    const lines = fc.array(
      fc.record({
        milli: fc.integer({ min: 1, max: 20_000 }),
        total: fc.integer({ min: 0, max: 2_000_000 }),
        own: fc.integer({ min: 0, max: 100 }),
      }),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    fc.assert(
      fc.property(
        lines,
        fc.nat(),
        fc.integer({ min: 0, max: 9000 }),
        fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 9000 })), { maxLength: 30 }),
        (goods, off, shipping, steps) => {
          const all = goods.reduce((sum, one) => sum + one.total, 0)
          const total = poisha(all - (all === 0 ? 0 : off % (all + 1)) + shipping)
          let order: SoldOrder = {
            total,
            shipping: poisha(shipping),
            paid: total,
            returnedWorth: poisha(0),
            lines: goods.map((one, at) => discounted(line(at, one.milli, one.total), Math.floor((one.total * one.own) / 100))),
          }
          const rest: [number, number][] = goods.map((one, at) => [at, one.milli])
          for (const [at, milli] of [...steps, ...rest]) {
            const there = order.lines[at]
            const back = there ? Math.min(milli, there.quantityMilli - there.returnedMilli) : 0
            if (back <= 0) continue
            const sums = returnSums(order, [{ productId: at, quantityMilli: back }])
            expect(sums.worth).toBeGreaterThanOrEqual(0)
            expect(sums.refund).toBe(sums.worth)
            order = {
              ...order,
              paid: poisha(order.paid - sums.refund),
              returnedWorth: poisha(order.returnedWorth + sums.worth),
              lines: order.lines.map((one) => (one.productId === at ? { ...one, returnedMilli: one.returnedMilli + back } : one)),
            }
            expect(order.paid).toBeGreaterThanOrEqual(0)
          }
          expect([order.paid, order.returnedWorth]).toEqual([0, total])
        },
      ),
    )
  })
})

it('a line is valued with its final weighing once it is back whole', () => {
  expect(returnedValue(line(1, 1000, 100_000, 0, -20_000), 1000)).toBe(80_000)
  expect(returnedValue(line(1, 3000, 10_000, 1000), 2000)).toBe(6667)
})
