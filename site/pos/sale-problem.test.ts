import { describe, expect, it } from 'vitest'
import { newSale } from './sale.ts'
import { errorField, problemField } from './sale-problem.ts'

describe('problemField', () => {
  const field = (sale: object) => problemField('amount', { ...newSale(), ...sale })
  it.each([
    [{ bkash: 'x' }, 'pos-bkash'],
    [{ cash: 'x', storeCredit: 'y' }, 'pos-cash'],
    [{ storeCredit: 'x' }, 'pos-store-credit'],
    [{ storeCredit: '900' }, 'pos-store-credit'],
    [{ onAccount: 'x' }, 'pos-on-account'],
    [{ onAccount: '900', storeCredit: '1' }, 'pos-on-account'],
  ])('of %j is %s', (sale, id) => expect(field(sale)).toBe(id))
})

it('a rejection by the shop leads to the credit, and other errors to no field', () => {
  expect(errorField({ store_credit: ['Only 5 left'] })).toBe('pos-store-credit')
  expect(errorField({ lines: ['x'], on_account: ['Over the limit'] })).toBe('pos-on-account')
  expect(errorField({ transactions: ['x'] })).toBeNull()
})
