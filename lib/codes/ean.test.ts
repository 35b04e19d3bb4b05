import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ean13, eanIsRight } from './ean.ts'

test.each([
  ['4006381333931', true],
  ['4006381333932', false],
  ['96385074', true],
  ['036000291452', true],
  ['036000291453', false],
  ['KH-1', null],
  ['', null],
  ['٤٠٠٦٣٨١٣٣٣٩٣١', null],
])('%s: %s', (code, right) => expect(eanIsRight(code)).toBe(right))

const twelve = fc.stringMatching(/^\d{12}$/)

test('a code of twelve digits is right, and no other last digit is', () => {
  fc.assert(
    fc.property(twelve, fc.integer({ min: 1, max: 9 }), (digits, off) => {
      const code = ean13(digits)
      const other = `${digits}${(Number(code[12]) + off) % 10}`
      expect([eanIsRight(code), eanIsRight(other)]).toEqual([true, false])
    }),
  )
})

test('one digit misread is always noticed', () => {
  fc.assert(
    fc.property(twelve, fc.integer({ min: 0, max: 11 }), fc.integer({ min: 1, max: 9 }), (digits, place, off) => {
      const code = ean13(digits)
      const wrong = `${code.slice(0, place)}${(Number(code[place]) + off) % 10}${code.slice(place + 1)}`
      expect(eanIsRight(wrong)).toBe(false)
    }),
  )
})
