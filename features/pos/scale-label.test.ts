import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS, type ScaleLabelRule } from '#features/settings/settings.ts'
import { lineTotal } from '#features/catalog/shown-price-rules.ts'
import { ean13 } from '#lib/codes/ean.ts'
import { poisha, taka } from '#lib/format/money.ts'
import { readPosQuantity } from './rules.ts'
import { labelledQuantity, readScaleLabel, scaleItemRule } from './scale-label.ts'

const rules = DEFAULT_SETTINGS.scale_labels
const beef = { unit: 'kg', isAnimal: false, price: taka(800) } as const

test.each([
  ['271234501234', { item: '2712345', holds: 'weight', value: 1234 }],
  ['281234534500', { item: '2812345', holds: 'price', value: 345_000 }],
  ['291234501234', null],
  ['471234501234', null],
])('%s and its check digit', (twelve, label) => {
  expect(readScaleLabel(ean13(twelve), rules)).toEqual(label)
  const wrong = ean13(twelve).replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
  expect(readScaleLabel(wrong, rules)).toBeNull()
})

test.each(['', '27', '2712345', '27123450123456', '27123450123ab', '২৭১২৩৪৫০১২৩৪৮'])('%j is no label', (code) =>
  expect(readScaleLabel(code, rules)).toBeNull(),
)

test('a digit of the scale between product and value is ignored', () => {
  const own: ScaleLabelRule[] = [{ prefix: '22', holds: 'price', item_digits: 4, value_digits: 5, decimals: 2 }]
  expect(readScaleLabel(ean13('221234734500'), own)).toEqual({ item: '221234', holds: 'price', value: 34_500 })
})

const prefix = fc.integer({ min: 20, max: 29 }).map(String)
const split = fc.tuple(fc.integer({ min: 2, max: 7 }), fc.constantFrom(9, 10)).map(([item, both]) => ({ item, value: both - item }))
const rule = fc
  .record({ prefix, split, holds: fc.constantFrom('weight' as const, 'price' as const), decimals: fc.integer({ min: 0, max: 2 }) })
  .map(({ split, ...rest }): ScaleLabelRule => ({ ...rest, item_digits: split.item, value_digits: split.value }))

test('every label of a scale is readable, with any rule', () => {
  fc.assert(
    fc.property(rule, fc.nat(), fc.nat(), fc.nat(9), (one, number, worth, own) => {
      const item = String(number % 10 ** one.item_digits).padStart(one.item_digits, '0')
      const value = worth % 10 ** one.value_digits
      const middle = one.item_digits + one.value_digits === 9 ? String(own) : ''
      const code = ean13(one.prefix + item + middle + String(value).padStart(one.value_digits, '0'))
      const unit = 10 ** ((one.holds === 'weight' ? 3 : 2) - one.decimals)
      expect(readScaleLabel(code, [one])).toEqual({ item: one.prefix + item, holds: one.holds, value: value * unit })
      expect(scaleItemRule(one.prefix + item, [one])).toBe(one)
    }),
  )
})

test('no scanned text throws', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.stringMatching(/^2\d{0,15}$/)), (code) => void readScaleLabel(code, rules)))
})

describe('the quantity of a label', () => {
  test.each([
    [{ item: '', holds: 'weight', value: 1234 } as const, 1230],
    [{ item: '', holds: 'weight', value: 1235 } as const, 1240],
    [{ item: '', holds: 'weight', value: 99_999 } as const, 100_000],
    [{ item: '', holds: 'price', value: 34_500 } as const, 430],
    [{ item: '', holds: 'price', value: 80_000 } as const, 1000],
  ])('%j of 800 taka a kg is %i thousandths', (label, milli) => expect(labelledQuantity(label, beef)).toEqual({ ok: true, milli }))

  test('is rejected for zero, for less than the smallest step, and for products not sold by kg', () => {
    const label = { item: '', holds: 'weight', value: 500 } as const
    expect(labelledQuantity({ ...label, value: 4 }, beef)).toEqual({ ok: false, reason: 'nothing' })
    expect(labelledQuantity({ item: '', holds: 'price', value: 799 }, beef)).toEqual({ ok: false, reason: 'nothing' })
    expect(labelledQuantity({ item: '', holds: 'price', value: 799 }, { ...beef, price: taka(0) })).toEqual({
      ok: false,
      reason: 'nothing',
    })
    expect(labelledQuantity(label, { ...beef, unit: 'piece' })).toEqual({ ok: false, reason: 'not-by-weight' })
    expect(labelledQuantity(label, { ...beef, isAnimal: true })).toEqual({ ok: false, reason: 'not-by-weight' })
  })

  test('is a sellable quantity; never above the price of the label, nor further off than the smallest step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: 1, max: 100_000 }), (value, whole) => {
        const price = taka(whole)
        const priced = labelledQuantity({ item: '', holds: 'price', value }, { ...beef, price })
        const total = priced.ok ? lineTotal(price, priced.milli) : poisha(0)
        expect(total).toBeLessThanOrEqual(value)
        expect(value - total).toBeLessThan(price / 100)
        const weighed = labelledQuantity({ item: '', holds: 'weight', value: value % 100_000 }, beef)
        if (!weighed.ok) return
        expect(readPosQuantity(String(weighed.milli / 1000))).toBe(weighed.milli)
        expect(Math.abs(weighed.milli - (value % 100_000))).toBeLessThanOrEqual(5)
      }),
    )
  })
})
