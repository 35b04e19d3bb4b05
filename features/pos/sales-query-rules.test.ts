import { expect, it } from 'vitest'
import { readSaleSearch } from './sales-query-rules.ts'

it.each([
  ['', null],
  ['   ', null],
  [undefined, null],
  ['01712345678', { by: 'phone', from: '01712345678', to: '01712345678', isComplete: true }],
  ['০১৭১২-৩৪৫৬৭৮', { by: 'phone', from: '01712345678', to: '01712345678', isComplete: true }],
  ['+880 1712 345678', { by: 'phone', from: '01712345678', to: '01712345678', isComplete: true }],
  ['01712', { by: 'phone', from: '01712000000', to: '01712999999', isComplete: false }],
  ['1005', { by: 'number', id: 1005, sum: { from: 100_450, to: 100_549 } }],
  ['১০০৫', { by: 'number', id: 1005, sum: { from: 100_450, to: 100_549 } }],
  ['#1005', { by: 'number', id: 1005, sum: null }],
  ['৳1,240', { by: 'sum', sum: { from: 123_950, to: 124_049 } }],
  ['123.75', { by: 'sum', sum: { from: 12_375, to: 12_375 } }],
  ['১২৩.৭৫', { by: 'sum', sum: { from: 12_375, to: 12_375 } }],
  ['u48291a', { by: 'receipt', text: 'u48291a' }],
  ['https://khamar.example/track/abcdefghij', { by: 'receipt', text: 'https://khamar.example/track/abcdefghij' }],
  ['Rahima', { by: 'nothing' }],
  ['0', { by: 'nothing' }],
  ['-5', { by: 'nothing' }],
  ["' or 1=1 --", { by: 'nothing' }],
  ['9'.repeat(40), { by: 'nothing' }],
  ['\u0000', { by: 'nothing' }],
  ['x'.repeat(100_000), { by: 'nothing' }],
] as const)('%s', (typed, search) => expect(readSaleSearch(typed)).toEqual(search))
