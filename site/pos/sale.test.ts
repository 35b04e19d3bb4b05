import { describe, expect, it, test } from 'vitest'
import type { AreaJson } from '#features/catalog/types.ts'
import type { PosLine } from '#features/pos/rules.ts'
import { poisha } from '#lib/format/money.ts'
import { getSaleState, missingApprovals, newSale, type Sale, saleBodyOf, toQueuedSale, typedAmount, withPrices } from './sale.ts'

const line = (changes: Partial<PosLine> = {}): PosLine => ({
  id: 1,
  name: 'Mango',
  unit: 'kg',
  price: poisha(10_000),
  quantity: '1.5',
  image: null,
  isAnimal: false,
  group: 'produce',
  shipping: poisha(0),
  ...changes,
})
const sale = (changes: Partial<Sale> = {}): Sale => ({ ...newSale(), lines: [line()], phone: '01712345678', ...changes })
const area: AreaJson = { id: 4, area_name: 'Savar', cattle_charge: false, produce_charge: 120 }
const DAYS = { cutoffHour: 21, calendar: { daysAhead: 3, closedWeekdays: [], fullDays: {} }, isCollectionOffered: true }
const at = (now: Sale) => getSaleState(now, { areas: [area], roundsCash: false, walkInSales: false, days: DAYS })

test.each([
  ['', 0],
  ['  ', 0],
  ['12.50', 1250],
  ['১২', 1200],
  ['-1', null],
  ['abc', null],
])('the amount %j is %j poisha', (typed, amount) => {
  expect(typedAmount(typed)).toBe(amount)
})

describe('the payment', () => {
  it('takes the rest in cash until cash is typed', () => {
    expect(at(sale({ bkash: '100' }))).toMatchObject({
      tender: { cash: 5000, bkash: 10_000, bank: 0 },
      change: 0,
      problem: null,
    })
    expect(at(sale({ cash: '200' }))).toMatchObject({ tender: { cash: 20_000 }, change: 5000, problem: null })
    expect(at(sale({ cash: '100' }))).toMatchObject({ due: 5000, problem: 'due' })
    expect(at(sale({ bkash: '200' }))).toMatchObject({ due: 0, problem: 'not-from-cash' })
  })

  it('has no tender while an amount is unreadable', () => {
    expect(at(sale({ bank: 'x' }))).toMatchObject({ tender: null, change: 0, problem: 'amount' })
  })
})

describe('the first problem', () => {
  test.each<[string, Partial<Sale>, string | null]>([
    ['no lines', { lines: [] }, 'empty'],
    ['an unreadable quantity', { lines: [line({ quantity: '1.234' })] }, 'quantity'],
    ['pieces in fractions', { lines: [line({ unit: 'piece' })] }, 'quantity'],
    ['a discount above a line', { lines: [line({ discount: '151' })] }, 'discount'],
    ['a discount above the subtotal', { discount: '151' }, 'discount'],
    ['a total of zero', { discount: '150' }, 'total'],
    ['an unreadable discount', { discount: 'x' }, 'discount'],
    ['a missing phone', { phone: '' }, 'phone'],
    ['delivery without an area', { deliver: true, address: 'Road 1' }, 'place'],
    ['delivery without an address', { deliver: true, areaId: '4', address: ' ' }, 'place'],
    [
      'delivery of cattle to an area that is closed for it',
      { deliver: true, areaId: '4', address: 'Road 1', lines: [line({ group: 'cattle' })] },
      'place',
    ],
    ['a transaction id that the shop rejects', { bkash: '50', bkashId: 'AB 1' }, 'transaction'],
    ['none, with the id of a method without an amount', { bkashId: 'AB1' }, null],
    ['none, with a transaction id in Bengali digits', { bkash: '50', bkashId: 'bh৭৮৯ ১২' }, null],
    ['none, with delivery', { deliver: true, areaId: '4', address: 'Road 1' }, null],
    ['none', {}, null],
  ])('%s', (_name, changes, problem) => {
    expect(at(sale(changes)).problem).toBe(problem)
  })
})

it('sends the discounts of lines and sale as one, and names those of lines', () => {
  const own = sale({ lines: [line({ discount: '10%' }), line({ id: 2, discount: '৫' })], discount: '১০%' })
  // 150 less 10%, 150 less 5, and 10% of the rest.
  expect(saleBodyOf(own, at(own))).toMatchObject({
    products: [{ discount: 15 }, { id: 2, discount: 5 }],
    sub_total: 300,
    discount: 48,
    total: 252,
    transactions: { cash: 252 },
  })
  const plain = sale({ lines: [line({ discount: '' })], discount: '10' })
  expect(JSON.stringify(saleBodyOf(plain, at(plain)).products)).not.toContain('discount')
})

describe('exceptions for a supervisor', () => {
  const limit = { percent: 10, taka: 1000 }
  const discounted = sale({ discount: '50' })
  const approve = (approved: Sale, at: number) => {
    const lines = approved.lines.map(({ id, price }) => ({ id, quantityMilli: 1500, price, isPriceSet: false, isHeld: false }))
    return { terms: { discount: poisha(5000), lines }, at }
  }

  it('are a discount above the limit, a set price and a product on hold', () => {
    expect(missingApprovals(discounted, { limit, needsSupervisor: true })).toMatchObject({ isDiscountTooHigh: true })
    expect(missingApprovals(sale({ lines: [line({ listPrice: poisha(12_000) })] }), { limit, needsSupervisor: true })).not.toBeNull()
    expect(missingApprovals(sale({ lines: [line({ isHeld: true })] }), { limit, needsSupervisor: true })).not.toBeNull()
    expect(missingApprovals(sale({ discount: '15' }), { limit, needsSupervisor: true })).toBeNull()
    expect(missingApprovals(sale({ discount: '10%' }), { limit, needsSupervisor: true })).toBeNull()
    expect(missingApprovals(sale({ lines: [line({ discount: '10%' })] }), { limit, needsSupervisor: true })).toBeNull()
    const both = sale({ lines: [line({ discount: '10%' })], discount: '1%' })
    expect(missingApprovals(both, { limit, needsSupervisor: true })).toMatchObject({ isDiscountTooHigh: true })
    expect(missingApprovals(discounted, { limit, needsSupervisor: false })).toBeNull()
  })

  it('are gone with an approval of exactly this sale within a quarter of an hour', () => {
    const fresh = { ...discounted, approval: approve(discounted, Date.now() - 60_000) }
    expect(missingApprovals(fresh, { limit, needsSupervisor: true })).toBeNull()
    const changed = { ...fresh, lines: [line({ quantity: '2' })] }
    expect(missingApprovals(changed, { limit, needsSupervisor: true })).not.toBeNull()
    const old = { ...discounted, approval: approve(discounted, Date.now() - 16 * 60_000) }
    expect(missingApprovals(old, { limit, needsSupervisor: true })).not.toBeNull()
  })
})

it('sends taka, readable quantities, and a transaction id only for a used method', () => {
  const own = sale({
    bkash: '100',
    bkashId: 'AB12CD',
    bankId: 'XY',
    lines: [line(), line({ id: 2, quantity: '১', listPrice: poisha(9000) })],
  })
  expect(saleBodyOf(own, at(own))).toMatchObject({
    products: [
      { id: 1, quantity: '1.5', price: 100 },
      { id: 2, quantity: '1', price: 100, price_is_set: true },
    ],
    transactions: { cash: 150, bkash: 100, bank: 0 },
    transaction_ids: { bkash: 'AB12CD', bank: '' },
    total: 250,
    paid_amount: 250,
    change_amount: 0,
    delivery: null,
  })
})

it('queues a sale under its key with cashier and shift', () => {
  const own = sale()
  const queued = toQueuedSale(own, at(own), { id: 3, name: 'Rahim', shiftId: 9 })
  expect(queued).toMatchObject({ key: own.key, cashier: { id: 3, name: 'Rahim' }, total: 150, state: 'waiting', sale: own })
  expect(queued.body).toMatchObject({ cashier_id: 3, shift_id: 9, sold_at: queued.soldAt })
})

it('applies known prices, but not to a line with a set price', () => {
  const own = sale({ lines: [line(), line({ id: 2, listPrice: poisha(9000) }), line({ id: 3 })] })
  const fresh = withPrices(own, [
    { id: 1, price: 80 },
    { id: 2, price: 80 },
  ])
  expect(fresh.lines.map(({ price }) => price)).toEqual([8000, 10_000, 10_000])
})

test('with the rounding of cash the customer pays whole taka; bKash and bank pay exactly', () => {
  const rounded = (now: Sale) => getSaleState(now, { areas: [area], roundsCash: true, walkInSales: false, days: DAYS })
  const one = { lines: [line({ price: poisha(12_375), quantity: '1' })] }
  expect(at(sale(one))).toMatchObject({ defaultCash: 12_375, rounding: 0, problem: null })
  expect(rounded(sale(one))).toMatchObject({ toPay: 12_400, defaultCash: 12_400, rounding: 25, change: 0, problem: null })
  expect(rounded(sale({ ...one, cash: '500' }))).toMatchObject({ change: 37_600, problem: null })
  expect(rounded(sale({ ...one, bkash: '123.75' }))).toMatchObject({ defaultCash: 0, rounding: 0, problem: null })
  expect(saleBodyOf(sale(one), rounded(sale(one)))).toMatchObject({ total: 123.75, paid_amount: 124, change_amount: 0 })
})

test('store credit and account pay exact sums, no more than the other and an exchange leave', () => {
  const rounded = (now: Sale) => getSaleState(now, { areas: [area], roundsCash: true, walkInSales: false, days: DAYS })
  const one = sale({ lines: [line({ price: poisha(12_375), quantity: '1' })] })
  expect(rounded(one)).toMatchObject({ toPay: 12_400, max: { storeCredit: 12_375, onAccount: 12_375 } })
  expect(rounded({ ...one, storeCredit: '123.75' })).toMatchObject({ problem: null, defaultCash: 0, max: { onAccount: 0 } })
  const shared = { ...one, storeCredit: '100' }
  expect(rounded(shared)).toMatchObject({ max: { onAccount: 2375 } })
  expect(rounded({ ...shared, onAccount: '23.75' }).problem).toBeNull()
  const exchange = {
    orderId: 1,
    lines: [],
    reason: '',
    refund: poisha(5000),
    cashCarried: poisha(0),
    method: 'cash' as const,
    transactionId: '',
  }
  expect(rounded({ ...one, exchange })).toMatchObject({ max: { storeCredit: 7375, onAccount: 7375 } })
})

test('a walk-in sale needs no phone where the shop allows it, and never for a delivery', () => {
  const stateOf = (now: Sale, walkInSales: boolean) => getSaleState(now, { areas: [area], roundsCash: false, walkInSales, days: DAYS })
  const walkIn = sale({ phone: '', walkIn: true })
  expect(stateOf(walkIn, true).problem).toBeNull()
  expect(stateOf(walkIn, false).problem).toBe('phone')
  expect(stateOf(sale({ phone: '' }), true).problem).toBe('phone')
  expect(stateOf({ ...walkIn, deliver: true, areaId: '4', address: 'House 5' }, true).problem).toBe('phone')
  expect(saleBodyOf(walkIn, stateOf(walkIn, true)).customer).toEqual({ phone: '', name: '', email: '', walk_in: true })
})
