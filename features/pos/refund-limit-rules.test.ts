import { describe, expect, it } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { refundAllowance } from './refund-limit-rules.ts'

describe('the maximum refund of a cashier alone', () => {
  const limit = { taka: 2000, day_taka: 5000, days: 7 }
  const soldAt = new Date('2026-11-13T17:59:00Z')
  const now = new Date('2026-11-20T06:00:00Z')
  it.each<[string, Partial<typeof limit>, { ofSale?: number; ofDay?: number }, number, Date?]>([
    ['nothing refunded yet', {}, {}, 200_000],
    ['some of the sale refunded', {}, { ofSale: 150_000 }, 50_000],
    ['the sale refunded up to the limit', {}, { ofSale: 200_000 }, 0],
    ['beyond it, because the limit was lowered', { taka: 100 }, { ofSale: 200_000 }, 0],
    ['little left of the day', {}, { ofDay: 499_999 }, 1],
    ['the day used up by other sales', {}, { ofDay: 500_000 }, 0],
    ['a limit of nothing', { taka: 0 }, {}, 0],
    ['a day of nothing', { day_taka: 0 }, {}, 0],
    ['the last day, in Dhaka', {}, {}, 200_000, new Date('2026-11-20T17:59:00Z')],
    ['a day later', {}, {}, 0, new Date('2026-11-20T18:00:00Z')],
    ['the same day only', { days: 0 }, {}, 0],
    ['the same day', { days: 0 }, {}, 200_000, soldAt],
  ])('%s', (_what, change, { ofSale = 0, ofDay = 0 }, expected, at = now) => {
    expect(refundAllowance({ ...limit, ...change }, { ofSale: poisha(ofSale), ofDay: poisha(ofDay) }, soldAt, at)).toBe(expected)
  })
})
