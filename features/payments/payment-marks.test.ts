import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PAYMENT_MARKS, paymentMarks } from './payment-marks.ts'

it.each([
  [[], { bkash: '', nagad: '' }, []],
  [[], { bkash: '', nagad: '01712345678' }, ['nagad']],
  [['bkash'], { bkash: '01712345678', nagad: '01712345678' }, ['bkash', 'nagad']],
  [['bkash', 'sslcommerz'], { bkash: '', nagad: '' }, ['bkash', 'nagad', 'rocket', 'visa', 'mastercard']],
] as const)('the gateways %j and numbers %j have the marks %j', (gateways, numbers, marks) => {
  expect(paymentMarks(gateways, numbers)).toEqual(marks)
})

it('every mark has a picture of at most 600 bytes', () => {
  const bytes = PAYMENT_MARKS.map((mark) => statSync(join(import.meta.dirname, `../../public/pay/${mark}.svg`)).size)
  expect(bytes.filter((size) => size > 600)).toEqual([])
})
