// Number formats. Without Intl: server and browser must write the same characters, and their ICU versions differ.
import type { Lang } from '../i18n/lang.ts'

/** The sign of shown numbers below zero. */
export const MINUS = '−'

/** Groups digits in the Indian way: 13850000 becomes 1,38,50,000. */
export function groupIndian(whole: number): string {
  const digits = String(Math.abs(whole))
  const head = digits.slice(0, -3)
  const tail = digits.slice(-3)
  const sign = whole < 0 ? MINUS : ''
  return head === '' ? sign + tail : `${sign}${head.replace(/\B(?=(\d{2})+$)/g, ',')},${tail}`
}

/** From the code of a digit 0-9 to that of the Bengali digit. */
const TO_BENGALI = 0x9e6 - 0x30

/** Replaces the digits 0-9 of a text by Bengali digits. */
export function bengaliDigits(text: string): string {
  return text.replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + TO_BENGALI))
}

/** Replaces the Bengali digits of a text by 0-9. */
export function latinDigits(text: string): string {
  return text.replace(/[০-৯]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - TO_BENGALI))
}

/** A typed number as programs read it: Latin digits, a hyphen for a minus sign. */
export function normalizeNumber(text: string): string {
  return latinDigits(text.trim()).replaceAll(MINUS, '-')
}

/** The text with the digits of the language. */
export function localizeDigits(lang: Lang, text: string): string {
  return lang === 'bn' ? bengaliDigits(text) : text
}

/** A number with Indian grouping and at most three decimals, none of them trailing zeros. */
export function formatNumber(value: number, lang: Lang): string {
  const thousandths = toMilli(Math.abs(value))
  const fraction = String(thousandths % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '')
  const whole = groupIndian(Math.floor(thousandths / 1000))
  const sign = value < 0 && thousandths > 0 ? MINUS : ''
  return localizeDigits(lang, sign + (fraction === '' ? whole : `${whole}.${fraction}`))
}

/** Kilograms as whole grams, or units as whole thousandths: JSON has the former, columns and formats the latter. */
export function toMilli(units: number): number {
  return Math.round(units * 1000)
}

/** Formats grams as kilograms: `245.5 kg`, `২৪৫.৫ কেজি`. */
export function formatKg(grams: number, lang: Lang): string {
  return formatQuantity(grams, 'kg', lang)
}

/** `bn` follows a number; `bnAlone` is the unit without a number, where that is another word. */
const UNITS: Record<string, { one: string; many: string; bn: string; bnAlone?: string }> = {
  kg: { one: ' kg', many: ' kg', bn: ' কেজি' },
  piece: { one: ' piece', many: ' pieces', bn: 'টি', bnAlone: 'পিস' },
  dozen: { one: ' dozen', many: ' dozen', bn: ' ডজন' },
  bundle: { one: ' bundle', many: ' bundles', bn: ' আঁটি' },
}

/** Formats a quantity in thousandths with its unit: `2 pieces`, `২টি`, `0.5 kg`. An unknown unit is shown as it is. */
export function formatQuantity(milli: number, unit: string, lang: Lang): string {
  const words = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  const number = formatNumber(milli / 1000, lang)
  if (words === undefined) return `${number} ${unit}`
  if (lang === 'bn') return number + words.bn
  return number + (milli === 1000 ? words.one : words.many)
}

/** A unit without a number, as in a price: `৳180 / piece`, `৳১৮০ / পিস`. An unknown unit is shown as it is. */
export function unitName(unit: string, lang: Lang): string {
  const words = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  if (words === undefined) return unit
  return (lang === 'bn' ? (words.bnAlone ?? words.bn) : words.one).trim()
}
