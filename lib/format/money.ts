// Money is whole poisha (1/100 taka) in code, a number of taka in JSON, `৳78,000` on pages.
import type { Lang } from '../i18n/lang.ts'
import { groupIndian, localizeDigits, MINUS, normalizeNumber } from './numbers.ts'

/** Whole hundredths of a taka. */
export type Poisha = number & { readonly __brand: 'Poisha' }

export const ZERO = 0 as Poisha
const TAKA = 100

/** All of an amount in hundredths of a percent. */
export const WHOLE_PERCENT = 10_000

/** The maximum amount of a form field in poisha: a payment, the total of an order, cash in a drawer. */
export const MAX_AMOUNT = 100_000_000_000 as Poisha

/** The maximum of a typed amount in poisha. Nine of them add up to a safe integer. */
const MAX_TYPED_AMOUNT = 1e15

/** A whole number as poisha; throws for fractions and unsafe integers. */
export function poisha(amount: number): Poisha {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number of poisha: ${amount}`)
  return (amount + 0) as Poisha
}

/** Whole taka to poisha. */
export function taka(whole: number): Poisha {
  return poisha(whole * TAKA)
}

/** A number of taka from JSON; throws when it is not finite or has more than two decimals. */
export function takaToPoisha(amount: number): Poisha {
  const found = readTaka(amount)
  if (found === null) throw new RangeError(`not an amount of taka: ${amount}`)
  return found
}

/** An unknown value as a number of taka; null when it is no number, not finite, or has more than two decimals. */
export function readTaka(amount: unknown): Poisha | null {
  if (typeof amount !== 'number') return null
  const rounded = Math.round(amount * 100)
  return Number.isSafeInteger(rounded) && rounded / 100 === amount ? poisha(rounded) : null
}

/** The amount in taka, as JSON has it. */
export function poishaToTaka(amount: Poisha): number {
  return amount / TAKA
}

/** The amount as decimal text for other programs: `1500.00`. */
export function decimalTaka(amount: Poisha): string {
  return (amount / TAKA).toFixed(2)
}

/** Adds amounts; throws when the sum is no safe integer. */
export function sum(amounts: Iterable<Poisha>): Poisha {
  let total = 0
  for (const amount of amounts) total += amount
  return poisha(total)
}

/**
 * amount × numerator / denominator in whole numbers, rounded half up. For amounts of zero or more. Exact while 2 × numerator × denominator
 * is a safe integer.
 */
export function share(amount: number, numerator: number, denominator: number): number {
  const rest = (amount % denominator) * numerator
  const whole = ((amount - (amount % denominator)) / denominator) * numerator
  return whole + wholeDivision(2 * rest + denominator, 2 * denominator)
}

/** The same in whole taka. */
export function shareInTaka(amount: number, numerator: number, denominator: number): Poisha {
  return poisha(share(amount, numerator, denominator * TAKA) * TAKA)
}

/** An amount in whole taka, rounded half up. For amounts of minus half a taka or more. */
export function wholeTaka(amount: number): Poisha {
  return shareInTaka(amount, 1, 1)
}

function wholeDivision(value: number, by: number): number {
  return (value - (value % by)) / by
}

/**
 * Parses a typed amount: Bengali or Latin digits, grouping commas, a ৳ sign, at most two decimals. Null for anything else, and above
 * `MAX_TYPED_AMOUNT`, so that pages can add typed amounts. A leading minus is parsed, so that the caller can report a negative
 * amount.
 */
export function parseAmount(text: string): Poisha | null {
  if (text.length > 40) return null
  const match = /^(-?)৳?\s?(\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.(\d{1,2}))?$/.exec(normalizeNumber(text))
  if (match === null) return null
  const [, sign = '', whole = '', fraction = ''] = match
  const amount = Number(whole.replaceAll(',', '') + fraction.padEnd(2, '0'))
  if (amount > MAX_TYPED_AMOUNT) return null
  return poisha(sign === '-' ? -amount : amount)
}

/** Formats `78,000` or `1,500.50`: decimals only when the amount is not whole taka. */
export function formatTakaNumber(amount: Poisha, lang: Lang): string {
  const size = Math.abs(amount)
  const fraction = size % 100
  const whole = groupIndian((size - fraction) / 100)
  const sign = amount < 0 ? MINUS : ''
  return localizeDigits(lang, sign + (fraction === 0 ? whole : `${whole}.${String(fraction).padStart(2, '0')}`))
}

/** Formats `৳78,000`, `৳১,৩৮,৫০০`, `−৳2,500`: Indian grouping, the ৳ sign before the digits in both languages. */
export function formatTaka(amount: Poisha, lang: Lang): string {
  const digits = formatTakaNumber(amount, lang)
  return digits.startsWith(MINUS) ? `${MINUS}৳${digits.slice(1)}` : `৳${digits}`
}

/** The same, always with two decimals: `৳1,38,500.00`. */
export function formatTakaExact(amount: Poisha, lang: Lang): string {
  return formatTaka(amount, lang) + (amount % 100 === 0 ? localizeDigits(lang, '.00') : '')
}
