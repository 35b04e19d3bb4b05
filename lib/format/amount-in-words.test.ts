import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountInWords } from './amount-in-words.ts'
import { poisha } from './money.ts'

it.each([
  [0, 'Zero taka only', 'শূন্য টাকা মাত্র'],
  [100, 'One taka only', 'এক টাকা মাত্র'],
  [7_800_000, 'Seventy-eight thousand taka only', 'আটাত্তর হাজার টাকা মাত্র'],
  [13_850_050, 'One lakh thirty-eight thousand five hundred taka and fifty poisha only', 'এক লাখ আটত্রিশ হাজার পাঁচশ টাকা পঞ্চাশ পয়সা মাত্র'],
  [101_000, 'One thousand ten taka only', 'এক হাজার দশ টাকা মাত্র'],
  [-250_000, 'Minus two thousand five hundred taka only', 'ঋণাত্মক দুই হাজার পাঁচশ টাকা মাত্র'],
  [
    1_234_567_800,
    'One crore twenty-three lakh forty-five thousand six hundred seventy-eight taka only',
    'এক কোটি তেইশ লাখ পঁয়তাল্লিশ হাজার ছয়শ আটাত্তর টাকা মাত্র',
  ],
  [1_000_000_000_000, 'One thousand crore taka only', 'এক হাজার কোটি টাকা মাত্র'],
])('%i poisha', (amount, english, bengali) => {
  expect(amountInWords(poisha(amount), 'en')).toBe(english)
  expect(amountInWords(poisha(amount), 'bn')).toBe(bengali)
})

it('has different words for different amounts', () => {
  const amount = fc.integer({ min: 0, max: 10_000_000_00 })
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      if (a === b) return
      for (const lang of ['en', 'bn'] as const) expect(amountInWords(poisha(a), lang)).not.toBe(amountInWords(poisha(b), lang))
    }),
  )
})

it('has a word of its own for every Bengali number below a hundred', () => {
  const words = Array.from({ length: 100 }, (_, n) => amountInWords(poisha(n * 100), 'bn'))
  expect(new Set(words).size).toBe(100)
})
