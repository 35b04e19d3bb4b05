import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { poisha, type Poisha, ZERO } from '#lib/format/money.ts'
import {
  addProducts,
  applyTender,
  autoCash,
  canBeTyped,
  changeOf,
  isPriceSet,
  readPosPhone,
  readPosQuantity,
  saleProblem,
  setPriceOf,
  stepQuantity,
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
  ['0', null],
  ['0.005', null],
  ['1.234', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
  ['99999999', null],
])('quantity %j is %j', (typed, milli) => expect(readPosQuantity(typed)).toBe(milli))

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

  test('steps stay readable, and never go below zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), (hundredths) => {
        const typed = String(hundredths / 100)
        for (const next of [stepQuantity(typed, 1), stepQuantity(typed, -1)])
          expect(canBeTyped(next) && Number(next) >= 0 && (next === '0' || readPosQuantity(next) !== null)).toBe(true)
      }),
    )
    expect(stepQuantity('0.5', -1)).toBe('0')
    expect(stepQuantity('nonsense', 1)).toBe('1')
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

  test('problems are reported in a fixed order', () => {
    const lines = addProducts([], mango)
    const sums = (discount = ZERO) => posSums(lines, ZERO, discount)
    const cash = (value: number) => ({ cash: poisha(value), bkash: ZERO, bank: ZERO })
    const phone = '01712345678'
    expect(saleProblem([], phone, sums(), cash(12_000))).toBe('empty')
    expect(saleProblem([{ ...mango, quantity: '0' }], phone, sums(), cash(12_000))).toBe('quantity')
    expect(saleProblem(lines, phone, sums(poisha(12_001)), cash(0))).toBe('discount')
    expect(saleProblem(lines, phone, sums(poisha(12_000)), cash(0))).toBe('total')
    expect(saleProblem(lines, phone, sums(), cash(11_998))).toBe('payments')
    expect(saleProblem(lines, phone, sums(), null)).toBe('payments')
    expect(saleProblem(lines, '0171234567', sums(), cash(12_000))).toBe('phone')
    expect(saleProblem(lines, phone, sums(), cash(50_000))).toBeNull()
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
