import { expect, it } from 'vitest'
import { wholeField } from './form-fields.ts'

const read = (typed: unknown) => wholeField(0, 1_000_000).safeParse(typed)

it.each([
  ['10000', 10_000],
  ['10,000', 10_000],
  ['১০,০০০', 10_000],
  ['1,00,000', 100_000],
  [' 7 ', 7],
  [12, 12],
])('the whole number %s', (typed, value) => {
  expect(read(typed)).toEqual({ success: true, data: value })
})

it.each(['', '1,0', '10,00', ',100', '1,0000', '1.5', '1,000,0', '2,000,000', '-1,000', 'x', '1e3'])(
  'no whole number up to a million: %s',
  (typed) => {
    expect(read(typed).success).toBe(false)
  },
)
