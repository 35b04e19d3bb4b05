import { describe, expect, test } from 'vitest'
import { expiresAt, restartedDeadline, type Waiting } from './deadline-rules.ts'

const placed = new Date('2025-04-29T15:00:00Z')
const usual = { paymentMinutes: 30, unreportedMinutes: 30, advanceHours: 24 }

describe('the payment deadline', () => {
  test.each([
    ['gateway', usual, '2025-04-29T15:30:00.000Z'],
    ['unreported', usual, '2025-04-29T15:30:00.000Z'],
    ['verified-phone', usual, '2025-04-30T15:00:00.000Z'],
    ['reported', usual, '2025-04-30T15:00:00.000Z'],
    ['gateway', { ...usual, paymentMinutes: 10 }, '2025-04-29T15:10:00.000Z'],
    ['unreported', { ...usual, unreportedMinutes: 45 }, '2025-04-29T15:45:00.000Z'],
    [
      'unreported, never longer than with a verified phone',
      { ...usual, unreportedMinutes: 90, advanceHours: 1 },
      '2025-04-29T16:00:00.000Z',
    ],
  ] as const)('%s', (waiting, expiry, until) => {
    expect(expiresAt(placed, waiting.split(',')[0] as Waiting, expiry).toISOString()).toBe(until)
  })
})

describe('a restarted deadline', () => {
  test.each([
    ['gateway', '15:20', '2025-04-29T15:50:00.000Z'],
    ['unreported', '15:20', '2025-04-29T15:50:00.000Z'],
    ['gateway', '16:10', '2025-04-29T16:30:00.000Z'],
    ['unreported', '16:10', '2025-04-29T16:30:00.000Z'],
    ['verified-phone', '16:10', '2025-04-30T15:00:00.000Z'],
  ] as const)('%s at %s', (waiting, time, until) => {
    expect(restartedDeadline(new Date(`2025-04-29T${time}:00Z`), placed, waiting, usual).toISOString()).toBe(until)
  })
})
