import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { sanitizeText } from '#lib/format/text.ts'

/**
 * Whether two values of a form are stored as the same: blanks at the ends, the composition of letters, the digits of a number and the form of a
 * phone make no difference.
 */
export function isSameInput(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, asStored) === JSON.stringify(b, asStored)
}

function asStored(_key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = sanitizeText(value)
  // Texts with letters are stored with the digits that were typed.
  return normalizePhone(text) ?? (/\p{L}/u.test(text) ? text : latinDigits(text))
}
