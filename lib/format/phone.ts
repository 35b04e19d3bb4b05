// Phone numbers: Bangladeshi mobile numbers in any typed form.
import type { Lang } from '#lib/i18n/lang.ts'
import { latinDigits, localizeDigits } from './numbers.ts'

/** Invisible characters, and the hyphens and dashes of typesetting. */
const IGNORED = /[\u200b-\u2015\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Digits of `01XXXXXXXXX`. */
export const PHONE_LENGTH = 11

/** The example in an empty phone field. */
export const phoneExample = (lang: Lang) => localizeDigits(lang, '01XXXXXXXXX')

/** The digits of a typed number with a plus in front if it has one; empty when it holds anything that no number has. */
function dialled(raw: string): string {
  if (raw.length > 40) return ''
  const text = latinDigits(raw.normalize('NFKC')).replace(IGNORED, '').trim()
  return /^\+?[\d\s().-]*$/.test(text) ? text.replace(/[\s().-]/g, '') : ''
}

/** The stored and shown form, `01XXXXXXXXX`; null when it is not a Bangladeshi mobile number. */
export function normalizePhone(raw: string): string | null {
  const match = /^(?:\+?880|00880|0)?(1[3-9]\d{8})$/.exec(dialled(raw))
  return match === null ? null : `0${match[1]}`
}

/**
 * A number that is called as `+88` and these digits: a mobile number, a landline with its area code, or an IP phone (096…). Null for
 * others, such as short codes, which end at the border of a network.
 */
export function normalizeCallNumber(raw: string): string | null {
  return normalizePhone(raw) ?? /^(?:\+?88|0088)?(0[2-9]\d{6,9})$/.exec(dialled(raw))?.[1] ?? null
}

/** The first and last number with a typed beginning. */
export interface PhoneRange {
  from: string
  to: string
}

/** The numbers with this typed beginning; null when no mobile number starts with it. */
export function phoneRange(typed: string): PhoneRange | null {
  const digits =
    normalizePhone(typed) ??
    latinDigits(typed)
      .replace(/[\s().-]/g, '')
      .replace(/^\+?88(?=01)/, '')
  return /^01\d{1,9}$/.test(digits) ? { from: digits.padEnd(PHONE_LENGTH, '0'), to: digits.padEnd(PHONE_LENGTH, '9') } : null
}

/** The number in the form of SMS gateways, `8801XXXXXXXXX`. */
export function phoneForGateway(local: string): string {
  return `88${local}`
}

/** The number with hidden middle digits: `018*****001`. */
export function maskPhone(local: string): string {
  return `${local.slice(0, 3)}*****${local.slice(-3)}`
}
