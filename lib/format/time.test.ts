import { afterEach, describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  dhakaDate,
  dhakaInstant,
  dhakaTime,
  formatDateTime,
  formatDay,
  formatMonth,
  formatFullDateTime,
  formatFullDay,
  formatHour,
  formatLongDay,
  formatShortDay,
  formatTime,
  isDay,
} from './time.ts'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

describe.each([
  ['UTC', 0],
  ['Asia/Dhaka', -360],
  ['America/New_York', 300],
])('in the server time zone %s', (name, offset) => {
  test('days and times are in Dhaka time', () => {
    process.env['TZ'] = name
    expect(new Date(0).getTimezoneOffset()).toBe(offset)
    expect(dhakaDate(new Date('2025-04-28T17:59:59.999Z'))).toBe('2025-04-28')
    expect(dhakaDate(new Date('2025-04-28T18:00:00Z'))).toBe('2025-04-29')
    expect(dhakaTime(new Date('2025-04-29T15:00:00Z'))).toBe('21:00')
    expect(dhakaInstant('2025-04-29').toISOString()).toBe('2025-04-28T18:00:00.000Z')
    expect(dhakaInstant('2025-04-29', '21:00').toISOString()).toBe('2025-04-29T15:00:00.000Z')
    expect(addDays('2025-02-28', 1)).toBe('2025-03-01')
    expect(addDays('2025-01-01', -1)).toBe('2024-12-31')
    expect(addMonths('2025-03-31', -1)).toBe('2025-02-28')
    expect(addMonths('2024-03-31', -1)).toBe('2024-02-29')
    expect(addMonths('2025-12-15', 1)).toBe('2026-01-15')
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
    expect(formatDay('2025-04-29', 'en', '2026-04-29')).toBe('29 Apr 2025')
    expect([formatMonth('2025-04', 'en'), formatMonth('2023-08', 'bn')]).toEqual(['April 2025', 'আগস্ট ২০২৩'])
  })
})

test.each(['2025-04-29', '2024-02-29', '0001-01-01'])('%s is a day', (text) => {
  expect(isDay(text)).toBe(true)
})
test.each([
  '2025-02-30',
  '2025-02-29',
  '2025-13-01',
  '2025-00-10',
  '2025-4-29',
  '29-04-2025',
  '',
  '2025-04-29T00:00',
  '২০২৫-০৪-২৯',
  '+12025-04-29',
  '0000-01-01',
  '9999-12-31',
])('%j is no day', (text) => {
  expect(isDay(text)).toBe(false)
})

test.each([
  ['2024-06-15', '15 Jun 2024'],
  ['2024-12-15', '15 Dec 2024'],
  ['2024-12-16', '16 Dec'],
  ['2025-01-01', '1 Jan'],
  ['2025-06-15', '15 Jun'],
  ['2025-12-14', '14 Dec'],
  ['2025-12-15', '15 Dec 2025'],
  ['2026-06-14', '14 Jun 2026'],
  ['2028-02-29', '29 Feb 2028'],
])('%s is written without its year within six months of 15 June 2025', (on, text) => {
  expect(formatDay(on, 'en', '2025-06-15')).toBe(text)
})

test('days and times in both languages', () => {
  const today = '2025-06-15'
  expect(formatDay('2025-04-29', 'bn', today)).toBe('২৯ এপ্রিল')
  expect(formatDay('2025-05-02', 'en', today)).toBe('2 May')
  expect(formatLongDay('2025-04-29', 'en', today)).toBe('29 April')
  expect(formatLongDay('2025-04-29', 'bn', today)).toBe('২৯ এপ্রিল')
  expect(formatShortDay('2025-04-29', 'en')).toBe('29 Apr 25')
  expect(formatShortDay('2005-04-02', 'bn')).toBe('২ এপ্রিল ০৫')
  expect(formatFullDay('2025-04-29', 'en')).toBe('29 April 2025')
  expect(formatFullDay('2025-04-29', 'bn')).toBe('২৯ এপ্রিল ২০২৫')
  expect(formatDateTime(new Date('2025-04-29T15:30:00Z'), 'en', today)).toBe('29 Apr, 9:30 pm')
  expect(formatDateTime(new Date('2025-04-29T15:30:00Z'), 'bn', today)).toBe('২৯ এপ্রিল, রাত ৯:৩০')
  expect(formatFullDateTime(new Date('2025-04-29T15:30:00Z'), 'en')).toBe('29 April 2025, 9:30 pm')
  expect(['00:05', '05:00', '11:59', '12:00', '16:00', '18:30'].map((time) => formatTime(time, 'en'))).toEqual([
    '12:05 am',
    '5:00 am',
    '11:59 am',
    '12:00 pm',
    '4:00 pm',
    '6:30 pm',
  ])
  expect(['00:05', '05:00', '11:59', '12:00', '16:00', '18:30'].map((time) => formatTime(time, 'bn').split(' ')[0])).toEqual([
    'রাত',
    'ভোর',
    'সকাল',
    'দুপুর',
    'বিকেল',
    'সন্ধ্যা',
  ])
})

test('a whole hour in an English sentence', () => {
  expect([0, 9, 12, 21, 24].map((hour) => formatHour(hour, 'en'))).toEqual(['12 am', '9 am', '12 pm', '9 pm', '12 am'])
})

test('a whole hour in a Bengali sentence', () => {
  expect([0, 5, 9, 12, 16, 18, 21, 23, 24].map((hour) => formatHour(hour, 'bn'))).toEqual([
    'রাত ১২টা',
    'ভোর ৫টা',
    'সকাল ৯টা',
    'দুপুর ১২টা',
    'বিকেল ৪টা',
    'সন্ধ্যা ৬টা',
    'রাত ৯টা',
    'রাত ১১টা',
    'রাত ১২টা',
  ])
})
