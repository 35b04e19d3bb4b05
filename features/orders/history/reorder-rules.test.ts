import { expect, test } from 'vitest'
import type { ProductJson } from '#features/catalog/types.ts'
import { type Offer, orderAgain } from './reorder-rules.ts'

const offer = (stock: number | null, product: Partial<ProductJson> = {}): Offer => ({
  product: { id: 1, status: 'in-stock', size: null, is_unique: false, ...product } as ProductJson,
  stock,
})

test.each<[string, number, Offer[], number | null]>([
  ['as before', 3, [offer(null)], 3],
  ['as much as is left', 5, [offer(2)], 2],
  ['in advance', 2, [offer(null, { status: 'pre-book' })], 2],
  ['in whole sizes', 25, [offer(22, { size: '5,10' })], 20],
  ['sizes have changed', 7, [offer(null, { size: '5' })], 5],
  ['less left than the smallest size', 10, [offer(4, { size: '5' })], null],
  ['an animal that is there', 1, [offer(1, { is_unique: true })], 1],
  ['an animal that is sold', 1, [offer(0, { is_unique: true, status: 'sold' })], null],
  ['held', 1, [offer(null, { status: 'hold' })], null],
  ['no longer shown', 1, [], null],
])('%s: of %d', (_name, quantity, offers, expected) => {
  const again = orderAgain([{ product_id: 1, name: 'It', quantity }], offers)
  expect(again.lines.map((line) => [line.quantity, line.less])).toEqual(expected === null ? [] : [[expected, expected < quantity]])
  expect(again.missing).toEqual(expected === null ? ['It'] : [])
})
