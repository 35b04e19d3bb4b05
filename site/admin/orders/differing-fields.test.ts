import { expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { differingFields } from './differing-fields.ts'
import { orderValues, type OrderValues } from './order-values.ts'
import { LINE, ORDER } from './testing/order.ts'

const line = (changes: Partial<OrderValues['products'][number]>) =>
  ({ ...LINE, key: 1, quantity: '2', base_price: 120, price_on_order: '120', shipping: null, advance: null, ...changes }) as const
const savedLines = (changes: object) => [{ ...ORDER.lines[0]!, ...changes }] as AdminOrder['lines']
const differing = (typed: Partial<OrderValues>, saved: Partial<AdminOrder>) =>
  differingFields({ ...orderValues(ORDER), ...typed }, orderValues({ ...ORDER, ...saved }))

it.each<[string, Partial<OrderValues>, Partial<AdminOrder>]>([
  ['a note, composed by the keyboard and with a blank', { note: 'বা\u09dcি ' }, { note: 'বা\u09a1\u09bcি' }],
  ['a note beside a phone that is refused', { note: 'বা\u09dcি ', phone: '12' }, { note: 'বা\u09a1\u09bcি', phone: '12' }],
  ['a charge in Bengali digits', { shipping_cost: '৮০' }, { shipping_cost: 80 }],
  ['a charge with decimals', { shipping_cost: '80.00' }, { shipping_cost: 80 }],
  ['a charge with its sign', { shipping_cost: '৳1,080' }, { shipping_cost: 1080 }],
  ['a discount of nothing', { discount: '০' }, { discount: 0 }],
  ['a phone with the code of the country', { phone: '+8801711000008' }, { phone: '01711000008' }],
  ['no name, as a walk-in sale has none', { name: ' ' }, { name: '' }],
  ['a quantity in Bengali digits', { products: [line({ quantity: '৩.০' })] }, { lines: savedLines({ quantity: 3 }) }],
  [
    'a price above that of the product',
    { products: [line({ price_on_order: '150.00' })] },
    { lines: savedLines({ price_on_order: 150, base_price: 150 }) },
  ],
  [
    'a product chosen in the first line, stored as the last one',
    { products: [line({ product_id: 9, usual_price: 120 }), line({})] },
    { lines: [ORDER.lines[0]!, ...savedLines({ product_id: 9 })] },
  ],
])('%s is stored as it was typed', (_name, typed, saved) => {
  expect(differing(typed, saved)).toEqual([])
})

it.each<[keyof OrderValues, Partial<OrderValues>, Partial<AdminOrder>]>([
  ['note', { note: 'Gate ২' }, { note: 'Gate 2' }],
  ['shipping_cost', { shipping_cost: '61' }, {}],
  ['shipping_cost', { shipping_cost: '' }, {}],
  ['products', { products: [line({ quantity: '3' })] }, {}],
  ['products', { products: [line({ quantity: 'three' })] }, {}],
  ['area_id', { area_id: '2' }, {}],
  ['status', {}, { status: 'processing' }],
])('another %s is a difference', (field, typed, saved) => {
  expect(differing(typed, saved)).toEqual([field])
})
