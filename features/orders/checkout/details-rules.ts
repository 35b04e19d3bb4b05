// Validates and normalizes the contact details of an order.
//
// Name, email, phone, address and area are required; alternate phone, landmark and note are optional. A customer with a verified phone may
// leave out the email. Texts have at most 255 characters.
// Digits may be Bengali.
import { isEmail } from '#lib/format/email.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { type AddressForm, normalizeAddress } from '#features/customers/address-rules.ts'
import { areaProblem, contactProblem, type ContactProblem } from '#features/customers/contact-rules.ts'

export interface GuestDetails extends AddressForm {
  email: string
}

export type DetailsField = keyof GuestDetails

/** In the order of the form, so that the first invalid field gets the focus. */
export const DETAILS_FIELDS: readonly DetailsField[] = [
  'name',
  'email',
  'phone',
  'alternate_phone',
  'area_id',
  'address',
  'landmark',
  'note',
]

export type DetailsProblems = Partial<Record<DetailsField, ContactProblem>>

interface DetailsTerms {
  /** The area must be one of them. */
  areaIds?: readonly number[]
  /** Collection needs no address. */
  isCollection?: boolean
  /** The customer is signed in with a verified phone. */
  isEmailOptional?: boolean
}

/** The problem of each invalid field; empty for valid details. */
export function guestDetailsProblems(
  details: GuestDetails,
  { areaIds, isCollection, isEmailOptional }: DetailsTerms = {},
): DetailsProblems {
  const found: DetailsProblems = {}
  for (const field of DETAILS_FIELDS) {
    if (isCollection && (field === 'area_id' || field === 'address')) continue
    if (isEmailOptional && field === 'email' && sanitizeText(details.email) === '') continue
    const problem = field === 'area_id' ? areaProblem(details.area_id, areaIds) : textProblem(field, details[field])
    if (problem !== null) found[field] = problem
  }
  return found
}

const REQUIRED: Partial<Record<DetailsField, ContactProblem>> = {
  name: 'details.name-required',
  email: 'details.email-required',
  phone: 'details.phone-required',
  address: 'details.address-required',
}

function textProblem(field: Exclude<DetailsField, 'area_id'>, text: string): ContactProblem | null {
  const problem = contactProblem(text, REQUIRED[field] ?? null, field === 'phone' || field === 'alternate_phone')
  if (problem !== null || field !== 'email') return problem
  return isEmail(sanitizeText(text)) ? null : 'details.email-invalid'
}

/** The details as stored: sanitized texts, phones as 01XXXXXXXXX. Requires valid details. */
export function normalizeDetails(details: GuestDetails): GuestDetails {
  // The fields have the order that requests have which a browser stored before an upgrade: a repeated one is compared as text.
  const { name, ...rest } = normalizeAddress(details)
  return { name, email: sanitizeText(details.email), ...rest }
}
