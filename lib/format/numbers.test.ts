import { expect, test } from 'vitest'
import { bengaliDigits, formatKg, formatNumber, formatQuantity, groupIndian, latinDigits, unitName } from './numbers.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [78000, '78,000'],
  [110000, '1,10,000'],
  [12345678, '1,23,45,678'],
  [1000000000, '1,00,00,00,000'],
  [-138500, '−1,38,500'],
])('groups %d as %s', (whole, shown) => {
  expect(groupIndian(whole)).toBe(shown)
})

test('digits change script and back', () => {
  expect(bengaliDigits('0123456789 kg')).toBe('০১২৩৪৫৬৭৮৯ kg')
  expect(latinDigits('০১২৩৪৫৬৭৮৯ কেজি')).toBe('0123456789 কেজি')
})

test.each([
  [245.5, '245.5', '২৪৫.৫'],
  [0.5, '0.5', '০.৫'],
  [0.125, '0.125', '০.১২৫'],
  [100000, '1,00,000', '১,০০,০০০'],
  [0.1 + 0.2, '0.3', '০.৩'],
  [-2.5, '−2.5', '−২.৫'],
  [-0.0001, '0', '০'],
])('writes %d', (value, en, bn) => {
  expect(formatNumber(value, 'en')).toBe(en)
  expect(formatNumber(value, 'bn')).toBe(bn)
})

test('weights and quantities have their unit', () => {
  expect(formatKg(245_500, 'en')).toBe('245.5 kg')
  expect(formatKg(245_500, 'bn')).toBe('২৪৫.৫ কেজি')
  expect(formatQuantity(1000, 'piece', 'en')).toBe('1 piece')
  expect(formatQuantity(2000, 'piece', 'en')).toBe('2 pieces')
  expect(formatQuantity(2000, 'piece', 'bn')).toBe('২টি')
  expect(formatQuantity(500, 'crate', 'en')).toBe('0.5 crate')
  expect(formatQuantity(500, 'constructor', 'bn')).toBe('০.৫ constructor')
})

test('a unit without a number is a noun', () => {
  expect(['kg', 'piece', 'dozen', 'bundle', 'crate'].map((unit) => unitName(unit, 'en'))).toEqual([
    'kg',
    'piece',
    'dozen',
    'bundle',
    'crate',
  ])
  expect(['kg', 'piece', 'dozen', 'bundle', 'crate'].map((unit) => unitName(unit, 'bn'))).toEqual(['কেজি', 'পিস', 'ডজন', 'আঁটি', 'crate'])
})
