import { describe, expect, it, test } from 'vitest'
import type { SearchResultJson } from '#features/catalog/types.ts'
import { canBeSold, matchScan, mergeResults, stockLeft } from './find-product.ts'

const product = (id: number, changes: Partial<SearchResultJson> = {}): SearchResultJson => ({
  id,
  name: `Product ${id}`,
  product_type: `Product ${id}`,
  price: 100,
  unit: 'kg',
  status: 'in-stock',
  images: [],
  maxOrderQty: 5,
  shipping_cost: 0,
  barcode: null,
  tag_number: null,
  ...changes,
})

describe('the product of a scan', () => {
  const found = [product(1, { barcode: '8900000000017' }), product(2, { tag_number: 'K-101' })]

  it('has the whole barcode or tag, in any letter case', () => {
    expect(matchScan(found, '8900000000017')?.id).toBe(1)
    expect(matchScan(found, 'k-101')?.id).toBe(2)
    expect(matchScan(found, '৮৯০০০০০০০০০১৭')?.id).toBe(1)
    expect(['কে-১০১', 'ক-১০১', 'K-১০১', 'k101'].map((text) => matchScan(found, text)?.id)).toEqual([2, 2, 2, 2])
  })

  it('is the only match of a name, and never of digits', () => {
    expect(matchScan([found[0]!], 'mango')?.id).toBe(1)
    expect(matchScan(found, 'mango')).toBeNull()
    expect(matchScan([found[0]!], '890000')).toBeNull()
    expect(matchScan([found[0]!], '৮৯০০০০')).toBeNull()
    expect(matchScan([], 'mango')).toBeNull()
  })
})

it('keeps the position of products already shown, with the data of the server', () => {
  const merged = mergeResults([product(2), product(1), product(9)], [product(1, { price: 90 }), product(3), product(2)])
  expect(merged.map(({ id, price }) => [id, price])).toEqual([
    [2, 100],
    [1, 90],
    [3, 100],
  ])
})

test.each<[string, Partial<SearchResultJson>, boolean]>([
  ['in stock', {}, true],
  ['without stock', { maxOrderQty: 0 }, false],
  ['out of stock', { status: 'out-of-stock' }, false],
  ['on hold, which a supervisor may approve', { status: 'hold', maxOrderQty: 0 }, true],
])('a product %s can be sold: %s', (_name, changes, expected) => {
  expect(canBeSold(product(1, changes))).toBe(expected)
})

test.each<[string, Partial<SearchResultJson>, number | null]>([
  ['counted', { maxOrderQty: 90.5 }, 90_500],
  ['not counted', { maxOrderQty: 9999 }, null],
  ['on hold', { status: 'hold', maxOrderQty: 0 }, null],
])('the stock of a product that is %s', (_name, changes, expected) => {
  expect(stockLeft(product(1, changes))).toBe(expected)
})
