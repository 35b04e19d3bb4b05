import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ean13, hasValidCheckDigit } from './ean.ts'

test.each([
  ['4006381333931', true],
  ['4006381333932', false],
  ['96385074', true],
  ['036000291452', true],
  ['036000291453', false],
  ['KH-1', null],
  ['', null],
  ['٤٠٠٦٣٨١٣٣٣٩٣١', null],
])('%s: %s', (code, expected) => expect(hasValidCheckDigit(code)).toBe(expected))

const twelve = fc.stringMatching(/^\d{12}$/)

test('ean13 adds the only valid check digit', () => {
  fc.assert(
    fc.property(twelve, fc.integer({ min: 1, max: 9 }), (digits, off) => {
      const code = ean13(digits)
      const other = `${digits}${(Number(code[12]) + off) % 10}`
      expect([hasValidCheckDigit(code), hasValidCheckDigit(other)]).toEqual([true, false])
    }),
  )
})

test('one misread digit is always detected', () => {
  fc.assert(
    fc.property(twelve, fc.integer({ min: 0, max: 11 }), fc.integer({ min: 1, max: 9 }), (digits, position, off) => {
      const code = ean13(digits)
      const wrong = `${code.slice(0, position)}${(Number(code[position]) + off) % 10}${code.slice(position + 1)}`
      expect(hasValidCheckDigit(wrong)).toBe(false)
    }),
  )
})
