import { describe, expect, test } from 'vitest'
import { parseStatuses } from './status-update-rules.ts'

const specified = { id: 7, status: 'hold', price: 120.5, note: 'soon', delivery_date: null }
const of = (...products: unknown[]) => parseStatuses({ products })

describe('a response with statuses', () => {
  test.each<[string, object]>([
    ['of the specified fields', specified],
    ['with its discount', { ...specified, discount: 10, discount_type: 'percentage' }],
    ['without discount now', { ...specified, discount: null, discount_type: null }],
    ['without note and date', { id: 7, status: 'sold', price: 1 }],
  ])('%s is returned unchanged', (_name, row) => {
    expect(of(row)).toEqual([row])
  })

  test.each([
    [null],
    [7],
    [{ ...specified, id: '7' }],
    [{ ...specified, status: 'lost' }],
    [{ ...specified, price: undefined }],
    [{ ...specified, price: NaN }],
    [{ ...specified, price: '120' }],
    [{ ...specified, discount: 'ten' }],
    [{ ...specified, note: { en: 'soon' } }],
    [{ ...specified, delivery_date: 3 }],
  ])('with the row %j is invalid', (row) => {
    expect(of(specified, row)).toBeNull()
  })

  test.each([null, undefined, '<html>', [], {}, { products: null }])('%j is invalid', (body) => {
    expect(parseStatuses(body)).toBeNull()
  })

  test('without products is valid', () => {
    expect(of()).toEqual([])
  })
})
