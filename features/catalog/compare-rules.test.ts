import { expect, test } from 'vitest'
import { comparePath, parseCompared, toggledCompared, withoutGone } from './compare-rules.ts'

test.each([
  ['1,2,3', [1, 2, 3]],
  ['3,3,1', [3, 1]],
  ['1,2,3,4,5', [1, 2, 3]],
  ['0,-1,1.5,1e3,abc, 7,8', [8]],
  ['999999999999999,9999999999999999', [999_999_999_999_999]],
  ["1;drop table products,2'--", []],
  ['', []],
  [null, []],
  [undefined, []],
  [`${'1,'.repeat(10_000)}2`, [1]],
])('%j are %j', (text, ids) => {
  expect(parseCompared(text)).toEqual(ids)
})

test('an animal is added to three at most, and removed by the same press', () => {
  expect(toggledCompared([1, 2], 3)).toEqual([1, 2, 3])
  expect(toggledCompared([1, 2, 3], 4)).toBeNull()
  expect(toggledCompared([1, 2, 3], 2)).toEqual([1, 3])
})

test('the page of the comparison has the ids in its URL', () => {
  expect([comparePath([]), comparePath([7, 8])]).toEqual(['/compare', '/compare?ids=7,8'])
})

test('an animal that the shop no longer has makes room for another one', () => {
  expect(withoutGone([1, 2, 3], [1, 2, 3], [1, 3])).toEqual([1, 3])
  expect(withoutGone([1, 2], [1, 2], [])).toEqual([])
  expect(withoutGone([4, 5], [1, 2, 5], [2])).toEqual([4])
})
