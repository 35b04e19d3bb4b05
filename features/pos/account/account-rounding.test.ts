import { expect, test } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { accountRounding, withRounding } from './account-rules.ts'

test.each([
  ['everything, down', 8320, 8320, -20],
  ['everything, up', 8360, 8360, 40],
  ['everything, whole', 8300, 8300, 0],
  ['a part', 5050, 8320, 0],
  ['less than half a taka', 40, 40, 0],
])('%s: paying %d of %d is rounded by %d', (_name, amount, due, rounding) => {
  expect(accountRounding(poisha(amount), poisha(due))).toBe(rounding)
})

test.each<[string, number[], number, number[]]>([
  ['none', [100, 200], 0, [0, 0]],
  ['up, in the last part', [100, 200], 40, [0, 40]],
  ['down, in the last part', [100, 200], -40, [0, -40]],
  ['down, over parts that are too small', [100, 30, 10], -45, [-5, -30, -10]],
])('rounding %s', (_name, amounts, rounding, expected) => {
  const parts = withRounding(
    amounts.map((amount, orderId) => ({ orderId, amount: poisha(amount) })),
    poisha(rounding),
  )
  expect(parts.map((part) => part.rounding)).toEqual(expected)
})
