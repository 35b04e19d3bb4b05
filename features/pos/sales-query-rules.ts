// The search of the POS's list of sales: a phone, a sum, an order number, or what is on a receipt. Digits of both scripts are read.
import { readTypedId } from '#lib/format/id.ts'
import { parseAmount, type Poisha } from '#lib/format/money.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { phoneRange } from '#lib/format/phone.ts'
import { isStorable, sanitizeText } from '#lib/format/text.ts'
import { isDay } from '#lib/format/time.ts'
import { MAX_RECEIPT_LENGTH } from './limits.ts'

/** Totals from `from` to `to`. A sum of whole taka also finds totals that are rounded to it. */
export interface SumRange {
  from: Poisha
  to: Poisha
}

export type SaleSearch =
  | { by: 'phone'; from: string; to: string; isComplete: boolean }
  /** An order number, or a sum of as many taka. */
  | { by: 'number'; id: number; sum: SumRange | null }
  | { by: 'sum'; sum: SumRange }
  /** The URL in a receipt's code, or the number of an offline receipt. */
  | { by: 'receipt'; text: string }
  /** A text that finds nothing. */
  | { by: 'nothing' }

const RECEIPT = /^U[0-9A-Z]{6}$|\/track\//i
const HALF_TAKA = 50

/** Parses the search; null for an empty one. */
export function readSaleSearch(input: string | undefined): SaleSearch | null {
  const raw = (input ?? '').slice(0, MAX_RECEIPT_LENGTH)
  if (!isStorable(raw)) return { by: 'nothing' }
  const text = latinDigits(sanitizeText(raw))
  if (text === '') return null
  if (RECEIPT.test(text)) return { by: 'receipt', text }
  const phone = phoneRange(text)
  if (phone) return { by: 'phone', ...phone, isComplete: phone.from === phone.to }
  const id = readTypedId(text)
  if (id !== null) return { by: 'number', id, sum: text.startsWith('#') ? null : sumRange(text) }
  const sum = sumRange(text)
  return sum ? { by: 'sum', sum } : { by: 'nothing' }
}

function sumRange(text: string): SumRange | null {
  const amount = parseAmount(text)
  if (amount === null || amount <= 0) return null
  if (text.includes('.')) return { from: amount, to: amount }
  return { from: (amount - HALF_TAKA) as Poisha, to: (amount + HALF_TAKA - 1) as Poisha }
}

/** A day of the query, or today. */
export function readDay(text: string | undefined, today: string): string {
  return text !== undefined && isDay(text) ? text : today
}
