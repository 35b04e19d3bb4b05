import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  initialQuantity,
  isReachable,
  MAX_QUANTITY_MILLI,
  nextQuantity,
  offeredQuantities,
  parseSizes,
  previousQuantity,
  readQuantity,
  minQuantity,
} from './quantity-rules.ts'

const units = (...sizes: number[]) => sizes.map((size) => size * 1000)

test.each([
  ['5,10,20', [5000, 10_000, 20_000]],
  ['0.5, 1', [500, 1000]],
  ['৫,১০', [5000, 10_000]],
  ['10,5', [10_000, 5000]],
  ['5,5,5', [5000]],
  ['', []],
  [null, []],
  ['abc', []],
  ['5,-1,0,x,1e3,2.5', [5000, 2500]],
  ['0.0001', []],
  ['99999', []],
  ['10000', [10_000_000]],
])('sizes %j', (text, sizes) => {
  expect(parseSizes(text)).toEqual(sizes)
})

test.each([
  [1, 1000],
  [0.5, 500],
  [0.001, 1],
  [10_000, 10_000_000],
])('quantity %d', (quantity, milli) => {
  expect(readQuantity(quantity)).toBe(milli)
})
test.each([0, -1, 1e9, 0.0001, 1.0005, NaN, Infinity, '2', true, null, [], undefined, 10_000.001])('no quantity: %j', (quantity) => {
  expect(readQuantity(quantity)).toBeNull()
})

test.each([
  ['the sizes', '5,10,20', 3, [5, 10, 20]],
  ['the sizes in their order', '20,5', 2, [20, 5]],
  ['not more than fit', '1,2,5,10', 3, [1, 2, 5]],
  ['one size, and sums of it', '5', 3, [5, 10, 15]],
  ['two sizes, and their sum', '5,10', 3, [5, 10, 15]],
  ['whole units without sizes', '', 3, [1, 2, 3]],
  ['the largest quantity has none after it', '10000', 3, [10_000]],
])('offered before the cart: %s', (_name, sizes, count, offered) => {
  expect(offeredQuantities(parseSizes(sizes), count)).toEqual(units(...offered))
})

test('every offered quantity can be ordered, once', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 20_000 }), { maxLength: 20 }), fc.integer({ min: 1, max: 6 }), (sizes, count) => {
      const offered = offeredQuantities(sizes, count)
      expect(offered.every((milli) => isReachable(sizes, milli))).toBe(true)
      expect(new Set(offered).size).toBe(offered.length)
    }),
  )
})

describe('without sizes', () => {
  test('any whole number from one up', () => {
    expect(initialQuantity([])).toBe(1000)
    expect(nextQuantity([], 1000)).toBe(2000)
    expect(previousQuantity([], 2000)).toBe(1000)
    expect(previousQuantity([], 1000)).toBe(1000)
    expect(isReachable([], 1500)).toBe(false)
    expect(isReachable([], 10_000_000)).toBe(true)
    expect(isReachable([], 10_001_000)).toBe(false)
    expect(nextQuantity([], MAX_QUANTITY_MILLI)).toBe(MAX_QUANTITY_MILLI)
  })
})

/** All quantities that can be ordered up to one, smallest first. */
function reachableSums(sizes: readonly number[], upTo: number): number[] {
  const sums: number[] = []
  for (let sum = minQuantity(sizes), last = 0; sum <= upTo && sum !== last; last = sum, sum = nextQuantity(sizes, sum)) sums.push(sum)
  return sums
}

describe('with sizes', () => {
  test.each([
    ['5,10,20', units(5, 10, 20), 30_000, units(5, 10, 15, 20, 25, 30)],
    ['3,7', units(3, 7), 14_000, units(3, 6, 7, 9, 10, 12, 13, 14)],
    ['0.5,1', [500, 1000], 2000, [500, 1000, 1500, 2000]],
    ['20,30', units(20, 30), 90_000, units(20, 30, 40, 50, 60, 70, 80, 90)],
    ['0.75,2', [750, 2000], 4000, [750, 1500, 2000, 2250, 2750, 3000, 3500, 3750, 4000]],
  ])('%s', (_name, sizes, upTo, sums) => {
    expect(reachableSums(sizes, upTo)).toEqual(sums)
  })

  test('plus and minus step through the sums', () => {
    expect(nextQuantity(units(3, 7), 3000)).toBe(6000)
    expect(nextQuantity(units(3, 7), 7000)).toBe(9000)
    expect(previousQuantity(units(3, 7), 9000)).toBe(7000)
    expect(previousQuantity(units(3, 7), 3000)).toBe(3000)
    expect(previousQuantity(units(10, 5), 5000)).toBe(5000)
    expect(initialQuantity(units(10, 5))).toBe(10_000)
    expect(minQuantity(units(10, 5))).toBe(5000)
  })

  test('from a quantity that is no sum they go to the next sums', () => {
    expect(nextQuantity(units(5, 10), 7000)).toBe(10_000)
    expect(previousQuantity(units(5, 10), 7000)).toBe(5000)
    expect(previousQuantity(units(5, 10), 1)).toBe(5000)
    expect(nextQuantity(units(5, 10), 0)).toBe(5000)
    expect(previousQuantity(units(5, 10), 1e15)).toBe(10_000_000)
  })
})

const sizeList = fc.uniqueArray(
  fc.integer({ min: 1, max: 80 }).map((size) => size * 250),
  { minLength: 1, maxLength: 5 },
)

test('the reachable sums equal those of a brute-force search', () => {
  fc.assert(
    fc.property(sizeList, (sizes) => {
      const reachable = new Set([0])
      const sums: number[] = []
      for (let sum = 250; sum <= 60_000; sum += 250) {
        if (!sizes.some((size) => reachable.has(sum - size))) continue
        reachable.add(sum)
        sums.push(sum)
      }
      expect(reachableSums(sizes, 60_000)).toEqual(sums)
    }),
  )
})

test('minus undoes plus, and plus undoes minus', () => {
  fc.assert(
    fc.property(sizeList, fc.integer({ min: 0, max: 50 }), (sizes, steps) => {
      let quantity = minQuantity(sizes)
      for (let step = 0; step < steps; step++) quantity = nextQuantity(sizes, quantity)
      expect(isReachable(sizes, quantity)).toBe(true)
      const next = nextQuantity(sizes, quantity)
      if (next !== quantity) expect(previousQuantity(sizes, next)).toBe(quantity)
      const previous = previousQuantity(sizes, quantity)
      if (previous !== quantity) expect(nextQuantity(sizes, previous)).toBe(quantity)
    }),
  )
})

test('covers ten thousand units for any sizes', () => {
  expect(reachableSums(units(5, 10, 20), MAX_QUANTITY_MILLI)).toHaveLength(2000)
  expect(reachableSums([500, 1000], MAX_QUANTITY_MILLI)).toHaveLength(20_000)
  expect(reachableSums(units(3, 7), MAX_QUANTITY_MILLI)).toHaveLength(9994)
  expect(isReachable([99_991, 99_989, 50_021], 9_999_999)).toBe(true)
  expect(isReachable(units(5000, 9999), 10_000_000)).toBe(true)
})
