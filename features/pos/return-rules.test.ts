import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { refundAllowance, returnSums, type SoldLine, type SoldOrder } from './return-rules.ts'

const line = (productId: number, quantityMilli: number, total: number, returnedMilli = 0): SoldLine => ({
  productId,
  quantityMilli,
  returnedMilli,
  total: poisha(total),
})
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
    const lines = fc.array(fc.record({ milli: fc.integer({ min: 1, max: 20_000 }), total: fc.integer({ min: 0, max: 2_000_000 }) }), {
      minLength: 1,
      maxLength: 6,
    })
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
            lines: goods.map((one, at) => line(at, one.milli, one.total)),
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

describe('the maximum refund of a cashier alone', () => {
  const limit = { taka: 2000, day_taka: 5000, days: 7 }
  const soldAt = new Date('2026-11-13T17:59:00Z')
  const now = new Date('2026-11-20T06:00:00Z')
  it.each<[string, Partial<typeof limit>, { ofSale?: number; ofDay?: number }, number, Date?]>([
    ['nothing refunded yet', {}, {}, 200_000],
    ['some of the sale refunded', {}, { ofSale: 150_000 }, 50_000],
    ['the sale refunded up to the limit', {}, { ofSale: 200_000 }, 0],
    ['beyond it, because the limit was lowered', { taka: 100 }, { ofSale: 200_000 }, 0],
    ['little left of the day', {}, { ofDay: 499_999 }, 1],
    ['the day used up by other sales', {}, { ofDay: 500_000 }, 0],
    ['a limit of nothing', { taka: 0 }, {}, 0],
    ['a day of nothing', { day_taka: 0 }, {}, 0],
    ['the last day, in Dhaka', {}, {}, 200_000, new Date('2026-11-20T17:59:00Z')],
    ['a day later', {}, {}, 0, new Date('2026-11-20T18:00:00Z')],
    ['the same day only', { days: 0 }, {}, 0],
    ['the same day', { days: 0 }, {}, 200_000, soldAt],
  ])('%s', (_what, change, { ofSale = 0, ofDay = 0 }, expected, at = now) => {
    expect(refundAllowance({ ...limit, ...change }, { ofSale: poisha(ofSale), ofDay: poisha(ofDay) }, soldAt, at)).toBe(expected)
  })
})
