import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineTotal } from '#features/catalog/shown-price-rules.ts'
import { poisha, type Poisha, ZERO } from '#lib/format/money.ts'
import { withCurrentProduct } from './current-product.ts'
import {
  addProducts,
  applyTender,
  autoCash,
  amountMissing,
  changeOf,
  isPriceSet,
  lineQuantity,
  paymentProblem,
  posLineTotal,
  quantityProblem,
  readPosPhone,
  readPosQuantity,
  saleProblem,
  setPriceOf,
  stepQuantity,
  stockShortage,
  tenderedOf,
  type PosLine,
  posSums,
} from './rules.ts'

const mango: Omit<PosLine, 'quantity'> = {
  id: 1,
  name: 'Mango',
  unit: 'kg',
  price: poisha(12_000),
  image: null,
  isAnimal: false,
  group: 'produce',
  shipping: ZERO,
}
const amount = fc.integer({ min: 0, max: 10_000_000 }).map((value) => poisha(value))
const tender = fc.record({ cash: amount, bkash: amount, bank: amount })

test.each([
  ['1', 1000],
  ['1.25', 1250],
  ['.5', 500],
  ['2.', 2000],
  ['২.৫', 2500],
  ['1,5', 1500],
  ['১,৫', 1500],
  ['1,50', 1500],
  ['১০,২৫', 10_250],
  [',5', 500],
  ['1,500', null],
  ['1,00,000', null],
  ['1,5.5', null],
  ['1,5,', null],
  ['0', null],
  ['0.005', null],
  ['1.234', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
  ['99999999', null],
])('quantity %j is %j', (typed, milli) => expect(readPosQuantity(typed)).toBe(milli))

test.each([
  ['0.125', 125],
  ['১.১২৫', 1125],
  ['.125', 125],
  ['0,5', 500],
  ['1,500', null],
  ['0.1255', null],
])('quantity %j with three decimals is %j', (typed, milli) => expect(readPosQuantity(typed, 3)).toBe(milli))

test.each([
  ['01712345678', '01712345678'],
  ['০১৭১২৩৪৫৬৭৮', '01712345678'],
  ['+8801712345678', '01712345678'],
  ['1712345678', null],
  ['01112345678', null],
  ['017123456789', null],
  ['', null],
])('phone %j is %j', (typed, phone) => expect(readPosPhone(typed)).toBe(phone))

describe('the lines', () => {
  test('a product scanned again is one more; an animal stays one', () => {
    const twice = addProducts(addProducts([], mango), mango)
    expect(twice.map((line) => line.quantity)).toEqual(['2'])
    const cow = { ...mango, id: 2, isAnimal: true }
    expect(addProducts(addProducts(twice, cow), cow).map((line) => line.quantity)).toEqual(['2', '1'])
  })

  test('packs of 125 g are scanned, stepped and summed', () => {
    const packed = { ...mango, sizesMilli: [125, 250] }
    const lines = addProducts(addProducts([], packed), packed)
    expect(lines.map(({ quantity }) => quantity)).toEqual(['0.25'])
    const more = { ...lines[0]!, quantity: stepQuantity(lines[0]!, 0.125) }
    expect([more.quantity, quantityProblem(more), lineQuantity(more), posLineTotal(more)]).toEqual([
      '0.375',
      null,
      375,
      lineTotal(mango.price, 375),
    ])
    expect(quantityProblem({ ...packed, quantity: '0.2' })).toBe('packs-only')
    expect(quantityProblem({ ...mango, quantity: '0.125' })).toBe('unreadable')
  })

  test('steps stay readable, and never go below zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), (hundredths) => {
        const typed = String(hundredths / 100)
        for (const next of [1, -1].map((by) => stepQuantity({ quantity: typed }, by)))
          expect(Number(next) >= 0 && (next === '0' || readPosQuantity(next) !== null)).toBe(true)
      }),
    )
    expect(stepQuantity({ quantity: '0.5' }, -1)).toBe('0')
    expect(stepQuantity({ quantity: 'nonsense' }, 1)).toBe('1')
  })
})

describe('the quantity of a line', () => {
  const of = (quantity: string, more: Partial<PosLine> = {}) => quantityProblem({ ...mango, quantity, ...more })

  test.each<[string, string, Partial<PosLine>, ReturnType<typeof quantityProblem>]>([
    ['kilograms in fractions', '1,25', {}, null],
    ['dozens in fractions', '0.5', { unit: 'dozen' }, null],
    ['pieces', '৩', { unit: 'piece' }, null],
    ['pieces in fractions', '2.75', { unit: 'piece' }, 'whole-only'],
    ['bundles in fractions', '1,5', { unit: 'bundle' }, 'whole-only'],
    ['a sum of packs', '15', { sizesMilli: [5000, 10_000] }, null],
    ['no sum of packs', '7', { sizesMilli: [5000, 10_000] }, 'packs-only'],
    ['one animal', '1', { isAnimal: true, unit: 'piece' }, null],
    ['two animals', '2', { isAnimal: true, unit: 'piece' }, 'whole-only'],
    ['nothing', '', {}, 'unreadable'],
    ['letters', '1x', {}, 'unreadable'],
    ['the limit of a line', '10000', {}, null],
    ['more than the limit of a line', '১০০০১', {}, 'over-limit'],
    ['far more than the limit of a line', '99999999', {}, 'over-limit'],
  ])('%s', (_name, quantity, more, problem) => expect(of(quantity, more)).toBe(problem))

  test('beyond the known stock warns with what is left, less the unsent sales of the device', () => {
    const line = { quantity: '12', stockMilli: 10_000 }
    expect(stockShortage(line, 0)).toBe(10_000)
    expect(stockShortage({ ...line, quantity: '10' }, 0)).toBeNull()
    expect(stockShortage({ ...line, quantity: '10' }, 500)).toBe(9500)
    expect(stockShortage({ ...line, quantity: '1' }, 11_000)).toBe(0)
    expect(stockShortage({ ...line, stockMilli: null }, 0)).toBeNull()
    expect(stockShortage({ quantity: '12' }, 0)).toBeNull()
    expect(stockShortage({ ...line, quantity: 'x' }, 0)).toBeNull()
  })

  test('a scan adds a unit, or the smallest pack', () => {
    const packed = { ...mango, sizesMilli: [10_000, 5000] }
    expect(addProducts(addProducts([], packed), packed).map(({ quantity }) => quantity)).toEqual(['10'])
    expect(addProducts([], packed, 1230)[0]?.quantity).toBe('1.23')
  })
})

describe('the money', () => {
  test('default cash always pays the sale, without change', () => {
    fc.assert(
      fc.property(amount, amount, amount, (total, bkash, bank) => {
        const cash = autoCash(total, bkash, bank)
        const paid = { cash, bkash, bank }
        expect(cash).toBeGreaterThanOrEqual(0)
        if (bkash + bank <= total) expect([tenderedOf(paid), changeOf(paid, total)]).toEqual([total, 0])
      }),
    )
  })

  test('the booked amounts are exactly the total, none below zero except the tolerance, and change comes from cash', () => {
    fc.assert(
      fc.property(tender, amount, (paid, total) => {
        const change = changeOf(paid, total)
        expect(change).toBeLessThanOrEqual(paid.cash)
        const answer = applyTender(paid, change, total)
        const off = Math.abs(tenderedOf(paid) - change - total)
        expect(answer.ok).toBe(off <= 1)
        if (!answer.ok) return
        expect(tenderedOf(answer.applied)).toBe(total)
        for (const method of ['cash', 'bkash', 'bank'] as const) expect(answer.applied[method]).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test.each([
    [{ cash: 10_000, bkash: 0, bank: 0 }, 0, 10_001, true],
    [{ cash: 10_000, bkash: 0, bank: 0 }, 0, 9999, true],
    [{ cash: 10_000, bkash: 0, bank: 0 }, 0, 10_002, false],
    [{ cash: 10_000, bkash: 0, bank: 0 }, 0, 9998, false],
    [{ cash: 0, bkash: 10_000, bank: 0 }, 2000, 8000, false],
  ])('%j less %j for %j', (paid, change, total, ok) => {
    expect(applyTender(paid as Record<keyof typeof paid, Poisha>, poisha(change), poisha(total)).ok).toBe(ok)
  })

  test.each<[string, [cash: number, bkash: number, bank: number], number, ReturnType<typeof paymentProblem>, number]>([
    ['exact', [30_000, 0, 0], 30_000, null, 0],
    ['change from cash', [50_000, 0, 0], 30_000, null, 0],
    ['too little', [5000, 0, 0], 30_000, 'due', 25_000],
    ['too little in two ways', [5000, 10_000, 0], 30_000, 'due', 15_000],
    ['bKash above the total', [0, 40_000, 0], 30_000, 'not-from-cash', 0],
    ['bKash and bank above the total, with some cash', [1000, 20_000, 20_000], 30_000, 'not-from-cash', 0],
    ['bKash above the total by less than the cash', [20_000, 15_000, 0], 30_000, null, 0],
  ])('%s', (_name, [cash, bkash, bank], total, problem, due) => {
    const paid = { cash: poisha(cash), bkash: poisha(bkash), bank: poisha(bank) }
    expect([paymentProblem(paid, poisha(total)), amountMissing(paid, poisha(total))]).toEqual([problem, due])
  })

  test('problems are reported in a fixed order', () => {
    const lines = addProducts([], mango)
    const sums = (discount: Poisha | null = ZERO) => posSums(lines, ZERO, discount)
    const phone = '01712345678'
    expect(saleProblem([], phone, sums(), null)).toBe('empty')
    expect(saleProblem([{ ...mango, quantity: '0' }], phone, sums(), null)).toBe('quantity')
    expect(saleProblem(addProducts([], { ...mango, unit: 'piece' }, 1500), phone, sums(), null)).toBe('quantity')
    expect(saleProblem(lines, phone, sums(poisha(12_001)), 'due')).toBe('discount')
    expect(saleProblem(lines, phone, sums(null), 'due')).toBe('discount')
    expect(saleProblem(lines, phone, sums(poisha(12_000)), 'due')).toBe('total')
    expect(saleProblem(lines, phone, sums(), 'due')).toBe('due')
    expect(saleProblem(lines, '0171234567', sums(), 'amount')).toBe('amount')
    expect(saleProblem(lines, '0171234567', sums(), null)).toBe('phone')
    expect(saleProblem(lines, phone, sums(), null)).toBeNull()
  })
})

test('a set price stays when the list price changes, and when the product is scanned again', () => {
  const [line] = addProducts([], mango)
  expect(setPriceOf(line!, poisha(13_000))).toMatchObject({ price: 13_000 })
  const set = { ...line!, price: poisha(10_000), listPrice: poisha(12_000) }
  expect([isPriceSet(line!), isPriceSet(set), isPriceSet({ ...set, price: poisha(12_000) })]).toEqual([false, true, false])
  expect(setPriceOf(set, poisha(13_000))).toMatchObject({ price: 10_000, listPrice: 13_000 })
  expect(setPriceOf({ ...set, price: poisha(12_000) }, poisha(13_000))).toMatchObject({ price: 13_000, listPrice: 13_000 })
  expect(addProducts([set], { ...mango, price: poisha(13_000) })[0]).toMatchObject({ price: 10_000, listPrice: 13_000, quantity: '2' })
})

const TERMS = { unit: mango.unit, group: mango.group, shipping: mango.shipping, deliveryOn: null, sizesMilli: [] }

test('a line follows the unit, the packs and the delivery of its product', () => {
  const line = { ...mango, quantity: '1', isHeld: false }
  const product = { ...TERMS, price: line.price, status: 'in-stock' as const }
  expect(withCurrentProduct(line, product)).toBe(line)
  const changes = [
    { unit: 'piece' as const },
    { group: 'cattle' as const },
    { shipping: poisha(9000) },
    { deliveryOn: '2026-12-01' },
    { sizesMilli: [500] },
  ]
  for (const change of changes) expect(withCurrentProduct(line, { ...product, ...change })).toMatchObject({ ...change, quantity: '1' })
})

test('a new price of the product is no price that was set, also after the price field was left unchanged', () => {
  const line = { ...mango, quantity: '1', isHeld: false }
  const product = { ...TERMS, price: poisha(13_000), status: 'in-stock' as const }
  expect(withCurrentProduct(line, { ...product, price: line.price })).toBe(line)
  expect(withCurrentProduct(line, product)).toMatchObject({ price: 13_000, isHeld: false })
  const opened = withCurrentProduct({ ...line, listPrice: line.price }, product)
  expect([opened.price, isPriceSet(opened)]).toEqual([13_000, false])
  const set = withCurrentProduct({ ...line, price: poisha(10_000), listPrice: line.price }, product)
  expect([set.price, set.listPrice, isPriceSet(set)]).toEqual([10_000, 13_000, true])
  expect(withCurrentProduct(line, { ...product, status: 'hold' }).isHeld).toBe(true)
})
