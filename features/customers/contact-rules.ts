// Rules of contact and address fields: storable text, limited length, valid phones.
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { sanitizeText, isStorable, isTooLong } from '#lib/format/text.ts'

/** Keys of the messages shown at a field. */
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

/** The problem of a text field, or null; `required` is the problem of an empty one. */
export function contactProblem(typed: string, required: ContactProblem | null, isPhone = false): ContactProblem | null {
  if (!isStorable(typed)) return 'details.not-text'
  const text = sanitizeText(typed)
  if (text === '') return required
  if (isTooLong(text)) return 'details.too-long'
  return isPhone && normalizePhone(text) === null ? 'details.phone-invalid' : null
}

/** The problem of a chosen area, or null. With the ids of the areas, it must be one of them. */
export function areaProblem(areaId: number | null, areaIds?: readonly number[]): ContactProblem | null {
  if (areaId === null) return 'details.area-required'
  return areaIds === undefined || areaIds.includes(areaId) ? null : 'details.area-unknown'
}

/** Normalizes a phone to 01XXXXXXXXX; anything else stays as sanitized text. */
export function normalizePhoneField(typed: string): string {
  return normalizePhone(typed) ?? latinDigits(sanitizeText(typed))
}
