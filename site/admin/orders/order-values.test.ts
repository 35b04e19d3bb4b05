import { describe, expect, it } from 'vitest'
import type { AreaJson } from '#features/catalog/types.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { BLANK_NEW_ORDER, blankLine, followCharge, orderValues, raisedShipping, typedSums } from './order-values.ts'
import { newOrderSums } from './new-order-sums.ts'

const area = (id: number, cattle_charge: AreaJson['cattle_charge']): AreaJson => {
  return { id, area_name: String(id), cattle_charge, produce_charge: 80 }
}
const areas = [area(1, 1500), area(2, 2500), area(3, false), area(4, null)]
const cow = {
  product_id: 7,
  product_name: 'Cow',
  unit: 'piece',
  quantity: 1,
  base_price: 100_000,
  price_on_order: 100_000,
  line_total: 100_000,
  tag_number: 'K-1',
  is_unique: true,
  left: 0,
  delivery_group: 'cattle',
  delivery_charge: 950,
  picture_url: null,
}
const order = (more: object = {}) =>
  ({ area_id: 1, shipping_cost: 1500, max_shipping: null, discount: 0, reason: null, lines: [cow], ...more }) as unknown as AdminOrder

/** Honey that comes with the order's day, and a cow that comes later, in two deliveries. */
const SPLIT = {
  list_on: '2026-11-24',
  first_delivery_on: '2026-11-24',
  has_two_deliveries: true,
  shipping_cost: 3000,
  lines: [
    { ...cow, product_id: 8, delivery_group: 'produce', product_on: null },
    { ...cow, product_on: '2026-12-01' },
  ],
}

describe('the charge follows the area', () => {
  it.each<[what: string, typed: string, from: number, to: number, expected: string, more?: object]>([
    ['to another area', '1500', 1, 2, '2500'],
    ['back to the saved one', '2500', 2, 1, '1500'],
    ['on to a third, that has no charge of its own', '2500', 2, 4, '950'],
    ['a charge that was typed stays', '1200', 1, 2, '1200'],
    ['and stays on the way back', '1200', 2, 1, '1200'],
    ['an emptied one is filled', '', 1, 2, '2500'],
    ['an area that takes no cattle', '1500', 1, 3, '1500'],
    ['no area', '1500', 1, 0, '1500'],
    ['two deliveries', '3000', 1, 2, '5000', SPLIT],
    ['a coupon that leaves ৳20', '20', 1, 2, '20', { shipping_cost: 20, max_shipping: 20 }],
    ['a coupon that leaves more than the area asks', '950', 4, 2, '2000', { area_id: 4, shipping_cost: 950, max_shipping: 2000 }],
  ])('%s', (_what, shipping_cost, from, to, expected, more) => {
    const saved = order(more)
    const values = { ...orderValues(saved), shipping_cost, area_id: String(from) }
    expect(followCharge(values, { area_id: to === 0 ? '' : String(to) }, saved, areas)).toBe(expected)
  })
})

describe('the charge becomes that of one delivery', () => {
  const saved = order(SPLIT)
  const values = orderValues(saved)
  const [honey, later] = values.products
  it.each<[what: string, typed: string, changes: Parameters<typeof followCharge>[1], expected: string]>([
    ['without the honey', '3000', { products: [later!] }, '1500'],
    ['without the cow', '3000', { products: [honey!] }, '80'],
    ['all on the later day', '3000', { list_on: '2026-12-01' }, '1500'],
    ['another quantity', '3000', { products: [{ ...honey!, quantity: '2' }, later!] }, '3000'],
    ['an empty line more', '3000', { products: [later!, blankLine()] }, '1500'],
    ['another area with it', '3000', { products: [later!], area_id: '2' }, '2500'],
    ['a charge that was typed stays', '1200', { products: [later!] }, '1200'],
    ['an emptied one stays empty while both dates are left', '', { products: [{ ...honey!, quantity: '2' }, later!] }, ''],
  ])('%s', (_what, shipping_cost, changes, expected) => {
    expect(followCharge({ ...values, shipping_cost }, changes, saved, areas)).toBe(expected)
  })
  it('and that of two again, when the line is back', () => {
    expect(followCharge({ ...values, products: [later!], shipping_cost: '1500' }, { products: [later!, honey!] }, saved, areas)).toBe(
      '3000',
    )
  })
  it('also where the first was made and an earlier edit has left it alone', () => {
    const alone = order({ ...SPLIT, first_delivery_on: null, shipping_cost: 80, lines: SPLIT.lines.slice(0, 1) })
    const added = { products: [honey!, later!] }
    expect(followCharge(orderValues(alone), added, alone, areas)).toBe('3000')
    const joined = { ...alone, has_two_deliveries: false }
    expect(followCharge(orderValues(joined), added, joined, areas)).toBe('80')
  })
  it('but not where staff had charged less', () => {
    const cheap = order({ ...SPLIT, shipping_cost: 100 })
    expect(followCharge(orderValues(cheap), { products: [later!] }, cheap, areas)).toBe('100')
  })
})

it.each<[what: string, typed: string, area: number, added: 'cattle' | 'produce', expected: number | null]>([
  ['a cow added to an order of honey', '80', 1, 'cattle', 150_000],
  ['the same with an emptied charge', '', 1, 'cattle', 150_000],
  ['the charge typed', '1500', 1, 'cattle', null],
  ['another area, whose charge is named already', '80', 2, 'cattle', null],
  ['more produce', '80', 1, 'produce', null],
])('the usual charge is named for %s', (_what, shipping_cost, area_id, group, expected) => {
  const saved = order({ shipping_cost: 80, lines: [{ ...cow, delivery_group: 'produce' }] })
  const { products, ...values } = orderValues(saved)
  const added = { ...blankLine(), product_id: 8, shipping: { group, charge: 950 } }
  expect(raisedShipping({ ...values, shipping_cost, area_id: String(area_id), products: [...products, added] }, saved, areas)).toBe(
    expected,
  )
})

it.each([
  ['', 150_000],
  ['  ', 150_000],
  ['0', 0],
  ['২০০', 20_000],
])('an empty charge counts as the given one: %j', (shipping_cost, expected) => {
  const values = { ...orderValues(order()), shipping_cost, products: [...orderValues(order()).products, blankLine()] }
  expect(typedSums(values, 150_000 as never)).toMatchObject({ shipping: expected, total: 10_000_000 + expected })
})

describe('a new order', () => {
  const line = { ...blankLine(), product_id: 7, quantity: '2', price_on_order: '120', shipping: { group: 'produce' as const, charge: 60 } }
  const values = { ...BLANK_NEW_ORDER, area_id: '1', products: [line], discount: '10', advance_amount: '50' }

  it.each([
    ['a barcode for the charge', { shipping_cost: '90071992547409' }],
    ['barcodes for discount and payment', { discount: '90071992547409', advance_amount: '90071992547409' }],
    [
      'a hundred lines of the highest price',
      { products: Array.from({ length: 100 }, () => ({ ...line, quantity: '99999', price_on_order: '100000000' })) },
    ],
  ])('can be added up with %s', (_what, more) => {
    expect(newOrderSums({ ...values, ...more }, areas, null).total).toSatisfy(Number.isSafeInteger)
  })
  const coupon = { code: 'EID', discount: 2400 as never, deliverySaved: 3000 as never }
  it('adds up items, the charge of the area, discount and payment', () => {
    expect(newOrderSums(values, areas, null)).toMatchObject({ goods: 24_000, shipping: 8000, discount: 1000, total: 31_000, due: 26_000 })
  })
  it('is never below zero while a discount above the products is typed, or those are fewer than the coupon was priced for', () => {
    expect(newOrderSums({ ...values, discount: '500' }, areas, null)).toMatchObject({ discount: 24_000, total: 8000 })
    expect(newOrderSums({ ...values, products: [] }, areas, coupon)).toMatchObject({ goods: 0, discount: 0 })
    expect(typedSums({ ...values, discount: '500' }, 8000 as never)).toMatchObject({ discount: 24_000, total: 8000 })
  })
  it('has the discounts of its coupon instead; a charge is never below zero', () => {
    expect(newOrderSums(values, areas, coupon)).toMatchObject({ shipping: 5000, discount: 2400, total: 26_600, paid: 5000, due: 21_600 })
    expect(newOrderSums({ ...values, is_collection: true }, areas, coupon)).toMatchObject({ shipping: 0, total: 21_600 })
  })
})
