// What can be written into a field about a person or a place: text that can be kept, not too long, a phone that can be called.
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { sanitizeText, isStorable, isTooLong } from '#lib/format/text.ts'

/** Keys of the messages that stand at a field. */
export type ContactProblem =
  | 'details.name-required'
  | 'details.email-required'
  | 'details.phone-required'
  | 'details.address-required'
  | 'details.area-required'
  | 'details.area-unknown'
  | 'details.email-invalid'
  | 'details.phone-invalid'
  | 'details.too-long'
  | 'details.not-text'

/** What is wrong with a typed text, or null; `required` is what to say when it is empty. */
export function contactProblem(typed: string, required: ContactProblem | null, isPhone = false): ContactProblem | null {
  if (!isStorable(typed)) return 'details.not-text'
  const text = sanitizeText(typed)
  if (text === '') return required
  if (isTooLong(text)) return 'details.too-long'
  return isPhone && normalizePhone(text) === null ? 'details.phone-invalid' : null
}

/** What is wrong with a chosen area, or null. With the ids of the areas, it must be one of them. */
export function areaProblem(areaId: number | null, areaIds?: readonly number[]): ContactProblem | null {
  if (areaId === null) return 'details.area-required'
  return areaIds === undefined || areaIds.includes(areaId) ? null : 'details.area-unknown'
}

/** A typed phone as it is kept: 01XXXXXXXXX; what cannot be one stays as text. */
export function normalizePhoneField(typed: string): string {
  return normalizePhone(typed) ?? latinDigits(sanitizeText(typed))
}
