// Days, amounts and headings of statements, as banks and mobile wallets write them.
import { MAX_AMOUNT, parseAmount, poisha, type Poisha } from '#lib/format/money.ts'
import { latinDigits, normalizeNumber } from '#lib/format/numbers.ts'
import { isDay } from '#lib/format/time.ts'
import type { DayOrder, StatementMapping } from './rules.ts'

const MAX_CELL = 60
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const BN_MONTHS = ['জানু', 'ফেব্রু', 'মার্চ', 'এপ্রিল', 'মে', 'জুন', 'জুলাই', 'আগস্ট', 'সেপ্টে', 'অক্টো', 'নভে', 'ডিসে']

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ,].*)?$/
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:[ ,].*)?$/
const DAY_MONTH = /^(\d{1,2})[- /]([^\d\s,/-]{2,20})[- /,]{1,2}(\d{4}|\d{2})(?:[ ,].*)?$/
const MONTH_DAY = /^([^\d\s,/-]{2,20}) (\d{1,2}),? (\d{4})(?:[ ,].*)?$/
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/

/**
 * The day of a cell as YYYY-MM-DD, with or without a time after it, in Bengali or Latin digits; null when it is none. `order` decides about
 * 05/11/2026; a year in front and names of months need no order.
 */
export function parseStatementDay(cell: string, order: DayOrder): string | null {
  const text = latinDigits(cell.trim())
  if (text.length > MAX_CELL) return null
  const first = YEAR_FIRST.exec(text) ?? COMPACT.exec(text)
  if (first) return dayOf(first[1], first[2], first[3])
  const last = YEAR_LAST.exec(text)
  if (last) return order === 'mdy' ? dayOf(last[3], last[1], last[2]) : order === 'dmy' ? dayOf(last[3], last[2], last[1]) : shortYear(last)
  const named = DAY_MONTH.exec(text)
  if (named) return dayOf(named[3], monthOf(named[2]), named[1])
  const month = MONTH_DAY.exec(text)
  return month ? dayOf(month[3], monthOf(month[1]), month[2]) : null
}

/** 26-11-23, where the year comes first. A year at the end contradicts the order. */
const shortYear = ([, year, month, day]: RegExpExecArray) => (day?.length === 2 ? dayOf(year, month, day) : null)

function monthOf(name = ''): string {
  const known = MONTHS.findIndex((month) => name.toLowerCase().startsWith(month))
  return String((known === -1 ? BN_MONTHS.findIndex((month) => name.startsWith(month)) : known) + 1)
}

function dayOf(year = '', month = '', day = ''): string | null {
  const on = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(on) && on >= '2000-01-01' ? on : null
}

/** The order that the days of a column are written in: a number above 12 is a day. */
export function guessDayOrder(cells: readonly string[]): DayOrder {
  const found = cells.map((cell) => YEAR_LAST.exec(latinDigits(cell.trim()))).filter((match) => match !== null)
  if (found.some(([, first]) => Number(first) > 31)) return 'ymd'
  return found.some(([, , second]) => Number(second) > 12) && !found.some(([, first]) => Number(first) > 12) ? 'mdy' : 'dmy'
}

const EMPTY = /^[-–—.\s]*$/

/**
 * The amount of a cell in poisha: `1,234.50`, `১,২৩৪`, `-500`, `500-`, `(500)`, `500.00 Dr`, `BDT 500`. Null for no amount, and 'wrong' for
 * anything else.
 */
export function parseStatementAmount(cell: string): Poisha | null | 'wrong' {
  let text = normalizeNumber(cell.trim().replace(/^'/, ''))
  if (text.length > MAX_CELL) return 'wrong'
  if (EMPTY.test(text)) return null
  let isNegative = false
  const inBrackets = /^\((.*)\)$/.exec(text)
  if (inBrackets) [isNegative, text] = [true, inBrackets[1]!.trim()]
  const suffix = /^(.*?)\s*(dr|cr)\.?$/i.exec(text)
  if (suffix) [isNegative, text] = [isNegative !== (suffix[2]!.toLowerCase() === 'dr'), suffix[1]!]
  text = text.replace(/^(?:bdt|tk)\.?\s*/i, '').replace(/\s*(?:bdt|tk|taka|টাকা)\.?$/i, '')
  const sign = /^([-+]?)(.*?)(-?)$/.exec(text)!
  if (sign[1] === '-' || sign[3] === '-') isNegative = !isNegative
  const amount = parseAmount(sign[2]!.trim().replace(/^\./, '0.'))
  if (amount === null || amount < 0 || amount > MAX_AMOUNT) return 'wrong'
  return poisha(isNegative ? -amount : amount)
}

const HEADINGS: Record<'day' | 'amount' | 'credit' | 'debit' | 'reference' | 'details', RegExp[]> = {
  day: [/^(transaction|txn|trx|value|posting)?\s*date/i, /date|তারিখ/i, /^time|day/i],
  amount: [/^(transaction\s*|txn\s*|trx\s*)?amount/i, /amount|পরিমাণ|টাকা/i],
  credit: [/credit|deposit|জমা|^cr\.?$/i, /^(money\s*)?in$|received/i],
  debit: [/debit|withdraw|উত্তোলন|খরচ|^dr\.?$/i, /^(money\s*)?out$/i],
  reference: [/(trx|txn|transaction)\s*\.?\s*(id|no|number|ref)/i, /trx|ট্রানজ্যাকশন|লেনদেন/i, /ref|cheque|id$/i],
  details: [/particular|description|narration|details|remark|বিবরণ/i, /from|sender|wallet|counter/i, /type/i],
}

/** Chooses the columns of a statement by their headings; the day's heading is empty when none fits. */
export function guessMapping(headings: readonly string[], dayOrderOf: (heading: string) => DayOrder): StatementMapping {
  const used = new Set<string>()
  const find = (name: keyof typeof HEADINGS): string | null => {
    for (const pattern of HEADINGS[name]) {
      const heading = headings.find((one) => pattern.test(one) && !used.has(one))
      if (heading !== undefined) {
        used.add(heading)
        return heading
      }
    }
    return null
  }
  const day = find('day') ?? ''
  const [credit, debit] = [find('credit'), find('debit')]
  const amount = credit === null && debit === null ? find('amount') : null
  return { day, dayOrder: dayOrderOf(day), amount, credit, debit, reference: find('reference'), details: find('details') }
}

const MIN_HEADINGS = 2
/** Banks print name, number and period of the account above the table. */
const MAX_PREAMBLE = 40

/**
 * The index of the record with the headings: one with those of an earlier upload (`known`), or that names a day and an amount, or else the first
 * with several cells; -1 for none.
 */
export function findHeadings(records: readonly (readonly string[])[], known: readonly string[] = []): number {
  const top = records.slice(0, MAX_PREAMBLE)
  const again = known.length === 0 ? -1 : top.findIndex((record) => known.every((name) => nameColumns(record).includes(name)))
  if (again !== -1) return again
  const isNamed = (record: readonly string[], names: (keyof typeof HEADINGS)[]) =>
    record.some((cell) => cell.length <= MAX_CELL && names.some((name) => HEADINGS[name].some((pattern) => pattern.test(cell.trim()))))
  const named = top.findIndex(
    (record) => record.length >= MIN_HEADINGS && isNamed(record, ['day']) && isNamed(record, ['amount', 'credit', 'debit']),
  )
  return named === -1 ? top.findIndex((record) => record.filter((cell) => cell.trim() !== '').length >= MIN_HEADINGS) : named
}

/** The headings as names of columns: trimmed, numbered where empty or repeated. */
export function nameColumns(cells: readonly string[]): string[] {
  const names: string[] = []
  cells.forEach((cell, index) => {
    const name = cell.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_CELL) || `#${index + 1}`
    names.push(names.includes(name) ? `${name} (${index + 1})` : name)
  })
  return names
}
