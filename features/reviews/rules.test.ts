import { expect, it } from 'vitest'
import { isStorable } from '#lib/format/text.ts'
import { averageRating, languageOf, shortName } from './rules.ts'

it.each([
  ['Rahim Uddin', 'Rahim U.'],
  ['  Rahim   Uddin  ', 'Rahim U.'],
  ['Md. Rahim Uddin', 'Md. Rahim U.'],
  ['MD Rahim', 'MD Rahim'],
  ['Rahim', 'Rahim'],
  ['Farhana Binte Rahman', 'Farhana R.'],
  ['রহিম উদ্দিন', 'রহিম উ.'],
  ['মো. সেলিম চৌধুরী', 'মো. সেলিম চৌ.'],
  ['Dr.', 'Dr.'],
  ['🐄 🐄', '🐄 🐄.'],
  ['x'.repeat(255), 'x'.repeat(30)],
  ['01711223344', ''],
  ['Rahim ০১৭১১-২২৩৩৪৪', ''],
  ['rahim@example.com', ''],
  ['Rahim 2', 'Rahim 2.'],
  [`${'কি'.repeat(100)} ${'কি'.repeat(20)}`, `${'কি'.repeat(30)}`.slice(0, 60)],
])('shows %j as %j', (name, shown) => {
  expect(shortName(name)).toBe(shown)
  expect(shortName(name).length).toBeLessThanOrEqual(60)
})

it('cuts no emoji in half', () => {
  for (const before of ['', 'x', 'xx']) expect(isStorable(shortName(before + '👨‍👩‍👧‍👦'.repeat(20)))).toBe(true)
})

it.each([
  [{ count: 0, sum: 0 }, 0],
  [{ count: 3, sum: 14 }, 4.7],
  [{ count: 2, sum: 9 }, 4.5],
  [{ count: 1, sum: 1 }, 1],
])('averages %j to %d', (rating, average) => {
  expect(averageRating(rating)).toBe(average)
})

it('reads the language from the script', () => {
  expect([languageOf('Good'), languageOf('ভালো আম'), languageOf('Good আম'), languageOf('')]).toEqual(['en', 'bn', 'bn', 'en'])
})
