import fc from 'fast-check'
import { expect, test } from 'vitest'
import cases from '../../test/data/phone-cases.json' with { type: 'json' }
import { bengaliDigits } from './numbers.ts'
import { normalizeCallNumber, normalizePhone, phoneForGateway, phoneRange } from './phone.ts'

test.each(cases)('$input', ({ input, e164 }) => {
  const local = normalizePhone(input)
  expect(local === null ? null : `+88${local}`).toBe(e164)
})

test.each(['০১৭\t১২৩৪ ৫৬৭৮', '+880 (1712) 345-678', '00 880 1712345678', '\u2068+8801712345678\u2069', '০১৭১২–৩৪৫৬৭৮', '01712‑345678'])(
  'accepts %j',
  (input) => {
    expect(normalizePhone(input)).toBe('01712345678')
  },
)

test.each(['+', '++8801712345678', '1712+345678', '8801712345678,', '०१७१२३४५६७८', '0'.repeat(10_000), '+01712345678'])(
  'rejects %j',
  (input) => {
    expect(normalizePhone(input)).toBeNull()
  },
)

test.each([
  ['০১৭১২-৩৪৫৬৭৮', '01712345678'],
  ['+880 1712 345678', '01712345678'],
  ['02-9876543', '029876543'],
  ['+880 2 9876543', '029876543'],
  ['+88 09612-345678', '09612345678'],
  ['16247', null],
  ['01712', null],
  ['01712345678, 01812345678', null],
  ['abc', null],
  ['', null],
])('calls %j as %j', (input, expected) => {
  expect(normalizeCallNumber(input)).toBe(expected)
})

const mobile = fc
  .tuple(fc.constantFrom('3', '4', '5', '6', '7', '8', '9'), fc.integer({ min: 0, max: 99_999_999 }))
  .map(([operator, rest]) => `01${operator}${String(rest).padStart(8, '0')}`)

test('is idempotent, and equal for every form of a number', () => {
  fc.assert(
    fc.property(mobile, fc.constantFrom('', '+88', '88', '0088'), fc.boolean(), (local, prefix, bengali) => {
      const typed = prefix + local
      expect(normalizePhone(bengali ? bengaliDigits(typed) : typed)).toBe(local)
      expect(normalizePhone(local)).toBe(local)
      expect(normalizePhone(`+88${local}`)).toBe(local)
      expect(normalizePhone(phoneForGateway(local))).toBe(local)
    }),
  )
})

test.each([
  ['0181', '01810000000', '01819999999'],
  ['০১৮১', '01810000000', '01819999999'],
  ['+88 0181-1', '01811000000', '01811999999'],
  ['+8801811000001', '01811000001', '01811000001'],
])('numbers that start with %j are between %s and %s', (typed, from, to) => expect(phoneRange(typed)).toEqual({ from, to }))

test.each(['', '01', '0', '181', '02811', '018110000019', '0181a'])('no number starts with %j', (typed) =>
  expect(phoneRange(typed)).toBeNull(),
)

test('any text normalizes to a stored number or to null', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0178 ০১৭৮+-().\u200e\u0000০1️⃣a') }), (text) => {
      const local = normalizePhone(text)
      expect(local === null || /^01[3-9]\d{8}$/.test(local)).toBe(true)
    }),
  )
})
