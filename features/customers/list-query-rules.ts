// Reads the search and filters of the list of customers from a URL.
//
// Newest first. A number is a phone in any spelling, or its beginning, or a customer's own number; what has an @ is an email's beginning;
// a word is a name in either script.
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone, phoneRange } from '#lib/format/phone.ts'
import { sanitizeText, isStorable } from '#lib/format/text.ts'

export type CustomerSearch =
  | { by: 'phone'; phone: string }
  | { by: 'phone-start'; from: string; to: string }
  | { by: 'number'; id: number }
  | { by: 'email'; start: string }
  | { by: 'name'; text: string }

export interface CustomerFilter {
  search: CustomerSearch | null
  isDisabled: boolean
}

/** Reads the filters of a URL; invalid ones are ignored. */
export function readCustomerFilter(query: Record<string, string | undefined>): CustomerFilter {
  return { search: readCustomerSearch(query.q), isDisabled: query.state === 'disabled' }
}

/** Parses a search text; null when it is empty or not storable. */
export function readCustomerSearch(typed: string | undefined): CustomerSearch | null {
  if (typed === undefined || !isStorable(typed)) return null
  const text = latinDigits(sanitizeText(typed)).slice(0, 100)
  const phone = normalizePhone(text)
  if (phone) return { by: 'phone', phone }
  const begun = phoneRange(text)
  if (begun) return { by: 'phone-start', ...begun }
  const number = /^#?([1-9]\d{0,11})$/.exec(text)?.[1]
  if (number !== undefined) return { by: 'number', id: Number(number) }
  if (text.includes('@')) return { by: 'email', start: text.toLowerCase() }
  return text === '' ? null : { by: 'name', text }
}
