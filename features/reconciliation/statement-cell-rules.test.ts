import { describe, expect, it } from 'vitest'
import { findHeadings, guessDayOrder, guessMapping, nameColumns, parseStatementAmount, parseStatementDay } from './statement-cell-rules.ts'
import type { DayOrder } from './rules.ts'

describe('a day', () => {
  it.each<[string, DayOrder, string | null]>([
    ['2026-11-05', 'dmy', '2026-11-05'],
    ['2026-11-05 10:15:22', 'dmy', '2026-11-05'],
    ['2026-11-05T10:15:22+06:00', 'mdy', '2026-11-05'],
    ['2026/1/5', 'dmy', '2026-01-05'],
    ['20261105', 'dmy', '2026-11-05'],
    ['05/11/2026', 'dmy', '2026-11-05'],
    ['05/11/2026', 'mdy', '2026-05-11'],
    ['5-11-26', 'dmy', '2026-11-05'],
    ['26-11-05', 'ymd', '2026-11-05'],
    ['05/11/2026', 'ymd', null],
    ['05.11.2026, 9:30 PM', 'dmy', '2026-11-05'],
    ['05-Nov-2026', 'dmy', '2026-11-05'],
    ['5 November 2026', 'dmy', '2026-11-05'],
    ['05 NOV 26 10:00', 'dmy', '2026-11-05'],
    ['Nov 5, 2026 10:15 AM', 'dmy', '2026-11-05'],
    ['০৫/১১/২০২৬', 'dmy', '2026-11-05'],
    ['৫ নভেম্বর ২০২৬', 'dmy', '2026-11-05'],
    ['31/02/2026', 'dmy', null],
    ['13/13/2026', 'dmy', null],
    ['05/11/1999', 'dmy', null],
    ['5 Xyz 2026', 'dmy', null],
    ['yesterday', 'dmy', null],
    ['', 'dmy', null],
    ['2026-11-05'.padEnd(5000, ' x'), 'dmy', null],
  ])('%s in the order %s is %s', (cell, order, day) => {
    expect(parseStatementDay(cell, order)).toBe(day)
  })

  it.each<[string[], DayOrder]>([
    [['05/11/2026', '23/11/2026'], 'dmy'],
    [['11/05/2026', '11/23/2026'], 'mdy'],
    [['05/11/2026'], 'dmy'],
    [[], 'dmy'],
  ])('%j is written %s', (cells, order) => {
    expect(guessDayOrder(cells)).toBe(order)
  })
})

describe('an amount', () => {
  it.each<[string, number | null | 'wrong']>([
    ['1,234.50', 123_450],
    ['1,38,500', 13_850_000],
    ['১,২৩৪.৫০', 123_450],
    ['৳ 500', 50_000],
    ['BDT 500.00', 50_000],
    ['Tk. 500', 50_000],
    ['500 টাকা', 50_000],
    ['-500', -50_000],
    ['+500', 50_000],
    ['−500', -50_000],
    ['500-', -50_000],
    ['(1,500.00)', -150_000],
    ['500.00 Dr', -50_000],
    ['500.00CR', 50_000],
    ['.50', 50],
    ["'500", 50_000],
    ['0.00', 0],
    ['', null],
    ['-', null],
    ['--', null],
    ['1,23', 'wrong'],
    ['1.234,50', 'wrong'],
    ['12.345', 'wrong'],
    ['5e3', 'wrong'],
    ['=1+1', 'wrong'],
    ['--5', 'wrong'],
    ['99999999999999', 'wrong'],
    ['five hundred', 'wrong'],
    ['9'.repeat(10_000), 'wrong'],
  ])('%s is %s', (cell, amount) => {
    expect(parseStatementAmount(cell)).toBe(amount)
  })
})

describe('headings', () => {
  const dmy = () => 'dmy' as const
  it.each([
    [
      ['Date/Time', 'Trx ID', 'Type', 'From', 'Amount', 'Fee'],
      { day: 'Date/Time', reference: 'Trx ID', details: 'From', amount: 'Amount', credit: null, debit: null },
    ],
    [
      ['Value Date', 'Particulars', 'Cheque No', 'Withdrawal', 'Deposit', 'Balance'],
      { day: 'Value Date', reference: 'Cheque No', details: 'Particulars', amount: null, credit: 'Deposit', debit: 'Withdrawal' },
    ],
    [['তারিখ', 'বিবরণ', 'জমা', 'খরচ'], { day: 'তারিখ', reference: null, details: 'বিবরণ', credit: 'জমা', debit: 'খরচ', amount: null }],
  ])('of %j are recognized', (headings, mapping) => {
    expect(guessMapping(headings, dmy)).toEqual({ ...mapping, dayOrder: 'dmy' })
  })

  it('are found below the name of the account, and numbered where they repeat', () => {
    const records = [
      ['Statement of account'],
      ['Account', '123-456'],
      ['Date', 'Details', 'Amount', 'Amount'],
      ['2026-11-05', 'x', '5', '6'],
    ]
    expect(findHeadings(records)).toBe(2)
    expect(nameColumns(['Date', ' Amount ', 'Amount', ''])).toEqual(['Date', 'Amount', 'Amount (3)', '#4'])
    expect(findHeadings([['one cell']])).toBe(-1)
  })
})
