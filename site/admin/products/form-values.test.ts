import { expect, it } from 'vitest'
import { blankValues } from './form-values.ts'

const choices = { categories: [], seasons: ['2026', '2027'], season: '2026', scales: [], today: '2026-11-20' }

it.each([
  ['animal', 10_000, '10000'],
  ['animal', 0, ''],
  ['goods', 10_000, ''],
] as const)('the form of a new %s begins, at %i in the settings, with the advance %j', (kind, advance, minimum) => {
  expect(blankValues(kind, { ...choices, advance }).advance_minimum).toBe(minimum)
})

it('the form of a new animal begins with the current season, not with the last one that has rates', () => {
  expect(blankValues('animal', { ...choices, advance: 0 }).season).toBe('2026')
  expect(blankValues('goods', { ...choices, advance: 0 }).season).toBe('')
})
