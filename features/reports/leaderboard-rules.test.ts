import { expect, test } from 'vitest'
import { completePath, readLeaderboardQuery } from './leaderboard-rules.ts'

const TODAY = '2026-11-20'
const DEFAULTS = {
  startDate: '2026-10-20',
  endDate: TODAY,
  minSpent: null,
  maxSpent: null,
  sortColumn: 'total_spent',
  sortOrder: 'desc',
}

test.each<[string, Record<string, string>, object]>([
  ['an empty query', {}, {}],
  ['a period', { start_date: '2025-01-01', end_date: '2025-12-31' }, { startDate: '2025-01-01', endDate: '2025-12-31' }],
  ['one day', { start_date: TODAY, end_date: TODAY }, { startDate: TODAY }],
  ['the end before the beginning', { start_date: '2026-11-20', end_date: '2026-11-01' }, {}],
  ['30 February', { start_date: '2025-02-30', end_date: TODAY }, {}],
  ['ten years', { start_date: '2016-11-20', end_date: TODAY }, { startDate: '2016-11-20' }],
  ['years out of range', { start_date: '0001-01-01', end_date: '9998-12-31' }, { startDate: '2000-01-01', endDate: '2100-01-01' }],
  ['words', { start_date: 'abc', end_date: "'; drop", sort_column: 'password_hash', sort_order: 'up', min_spent: 'much' }, {}],
  ['an order', { sort_column: 'orders_count', sort_order: 'asc' }, { sortColumn: 'orders_count', sortOrder: 'asc' }],
  ['sums as typed', { min_spent: '১,৫০০', max_spent: '2000.50' }, { minSpent: 150_000, maxSpent: 200_050 }],
  ['sums that cross', { min_spent: '2000', max_spent: '1000' }, {}],
  ['a negative amount', { min_spent: '-5' }, {}],
])('%s', (_name, query, wanted) => {
  expect(readLeaderboardQuery(query, TODAY)).toEqual({ ...DEFAULTS, ...wanted })
})

test.each([
  [{}, 'start_date=2026-10-20&end_date=2026-11-20&sort_column=total_spent&sort_order=desc'],
  [{ end_date: '2026-01-01' }, 'start_date=2026-10-20&end_date=2026-11-20&sort_column=total_spent&sort_order=desc'],
  [
    { sort_column: 'orders_count', sort_order: 'asc', min_spent: '5', q: 'x' },
    'start_date=2026-10-20&end_date=2026-11-20&sort_column=orders_count&sort_order=asc&min_spent=5',
  ],
  [
    { sort_column: 'nonsense', sort_order: 'sideways' },
    'start_date=2026-10-20&end_date=2026-11-20&sort_column=total_spent&sort_order=desc',
  ],
])('a URL without a first day is completed: %o', (query, address) => {
  expect(completePath(query, TODAY)).toBe(`/admin/leaderboard?${address}`)
})

test('a URL with a first day does not change', () => {
  expect(completePath({ start_date: 'x' }, TODAY)).toBeNull()
})
