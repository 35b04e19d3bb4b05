import { afterEach, describe, expect, test } from 'vitest'
import { listDate } from './list-date.ts'
import { canMove, isLive, needsReason, nextStatuses, ORDER_STATUSES, stepKind, type OrderStatus } from './rules.ts'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

describe.each([
  ['UTC', 0],
  ['Asia/Dhaka', -360],
  ['America/New_York', 300],
])("the next day's list, under %s", (name, offset) => {
  test.each([
    ['a millisecond before nine', '2025-04-29T20:59:59.999+06:00', '2025-04-30'],
    ['nine exactly', '2025-04-29T21:00:00.000+06:00', '2025-05-01'],
    ['before midnight', '2025-04-29T23:59:59.999+06:00', '2025-05-01'],
    ['midnight', '2025-04-30T00:00:00.000+06:00', '2025-05-01'],
    ['the last evening of the year', '2025-12-31T21:00:00.000+06:00', '2026-01-02'],
  ])('%s', (_name, placed, on) => {
    process.env['TZ'] = name
    expect(new Date(0).getTimezoneOffset()).toBe(offset)
    expect(listDate(new Date(placed), 21)).toBe(on)
  })
})

test('the cutoff can be another hour', () => {
  expect(listDate(new Date('2025-04-29T18:59:59+06:00'), 19)).toBe('2025-04-30')
  expect(listDate(new Date('2025-04-29T19:00:00+06:00'), 19)).toBe('2025-05-01')
  // Midnight.
  expect(listDate(new Date('2025-04-29T00:00:00+06:00'), 24)).toBe('2025-04-30')
  expect(listDate(new Date('2025-04-29T23:59:59+06:00'), 24)).toBe('2025-04-30')
})

describe('status transitions', () => {
  test.each([
    ['placed', ['processing', 'cancelled']],
    ['processing', ['on_delivery', 'cancelled']],
    ['on_delivery', ['delivered', 'returned']],
    ['delivered', ['completed', 'returned']],
    ['completed', ['returned']],
    ['cancelled', []],
    ['returned', []],
  ] as [OrderStatus, OrderStatus[]][])('from %s', (from, next) => {
    expect(nextStatuses(from)).toEqual(next)
    for (const to of ORDER_STATUSES) expect(canMove(from, to)).toBe(next.includes(to))
  })

  test('with the permission to reopen one transition leads back', () => {
    expect(nextStatuses('cancelled', true)).toEqual(['placed'])
    expect(nextStatuses('returned', true)).toEqual(['processing'])
    expect(nextStatuses('completed', true)).toEqual(['returned', 'delivered'])
    expect(nextStatuses('placed', true)).toEqual(['processing', 'cancelled'])
    expect(canMove('delivered', 'placed', true)).toBe(false)
  })

  test('cancelled and returned need a reason and release the stock', () => {
    expect(ORDER_STATUSES.filter(needsReason)).toEqual(['cancelled', 'returned'])
    expect(ORDER_STATUSES.filter((status) => !isLive(status))).toEqual(['cancelled', 'returned'])
  })
})

test('a step leads on, ends the order, or opens it again', () => {
  const kinds = ORDER_STATUSES.map((from) => [from, nextStatuses(from, true).map((to) => `${to}: ${stepKind(from, to)}`)])
  expect(Object.fromEntries(kinds)).toEqual({
    placed: ['processing: forward', 'cancelled: end'],
    processing: ['on_delivery: forward', 'cancelled: end'],
    on_delivery: ['delivered: forward', 'returned: end'],
    delivered: ['completed: forward', 'returned: end'],
    completed: ['returned: end', 'delivered: reopen'],
    cancelled: ['placed: reopen'],
    returned: ['processing: reopen'],
  })
})
