import { expect, test } from 'vitest'
import { percentChange, periodBefore, readPeriod } from './period-rules.ts'

const TODAY = '2026-11-20'
const DEFAULT = { from: '2026-10-22', to: TODAY, days: 30 }

test.each([
  ['an empty query', {}, DEFAULT],
  ['one day', { from: TODAY, to: TODAY }, { from: TODAY, to: TODAY, days: 1 }],
  ['over a leap day', { from: '2024-02-28', to: '2024-03-01' }, { from: '2024-02-28', to: '2024-03-01', days: 3 }],
  ['the end before the beginning', { from: '2026-11-20', to: '2026-11-01' }, { from: '2026-10-03', to: '2026-11-01', days: 30 }],
  ['an invalid day', { from: '2025-02-30' }, DEFAULT],
  ['words', { from: 'abc', to: "'; drop" }, DEFAULT],
  ['a hundred years', { from: '1900-01-01' }, DEFAULT],
  ['more than ten years', { from: '2010-01-01' }, DEFAULT],
  ['only a beginning', { from: '2026-11-01' }, { from: '2026-11-01', to: TODAY, days: 20 }],
])('%s', (_name, query, period) => {
  expect(readPeriod(query, TODAY)).toEqual(period)
})

test('the period before has as many days and touches it', () => {
  expect(periodBefore({ from: '2026-03-01', to: '2026-03-31', days: 31 })).toEqual({ from: '2026-01-29', to: '2026-02-28', days: 31 })
})

test.each([
  [150, 100, 50],
  [50, 100, -50],
  [0, 100, -100],
  [5, 0, null],
  [0, 0, null],
])('from %d after %d: %s percent', (now, before, percent) => {
  expect(percentChange(now, before)).toBe(percent)
})
