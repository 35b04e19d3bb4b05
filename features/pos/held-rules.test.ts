import { expect, it } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { heldTotal } from './held-rules.ts'
import type { PosLine } from './rules.ts'

const line = { id: 1, name: 'Honey', unit: 'kg', price: poisha(10_000), quantity: '2' } as PosLine
const total = (coupon: unknown, discount = '') => heldTotal({ lines: [line], discount, coupon })

it('takes off a priced coupon or the discount', () => {
  expect(total(undefined)).toBe(20_000)
  expect(total(null, '50')).toBe(15_000)
  expect(total({ code: 'EID', discount: 3000, deliverySaved: 0, pricedFor: '[1]' })).toBe(17_000)
})

it.each([
  { code: 'EID', discount: 3000, pricedFor: '' },
  { code: 'EID', discount: 3000, pricedFor: null },
  { discount: -5, pricedFor: 'x' },
  { discount: 1.5, pricedFor: 'x' },
  { discount: '3000', pricedFor: 'x' },
  'EID',
  7,
])('ignores the coupon %j', (coupon) => expect(total(coupon)).toBe(20_000))
