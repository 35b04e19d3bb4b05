// Who an order goes to, and where.
//
// A name, an email, a phone that can be called, an address and one of our areas: nothing is sent without them. A second phone, a
// landmark and a note help the rider and may stay empty. No line is longer than 255 characters. Figures may be typed in Bengali.
import { isEmail } from '#lib/format/email.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { areaProblem, contactProblem, normalizePhoneField, type ContactProblem } from '#features/customers/contact-rules.ts'

export { isEmail }

export interface GuestDetails {
  name: string
  email: string
  phone: string
  alternate_phone: string
  address: string
  landmark: string
  note: string
  /** Null until an area is chosen. */
  area_id: number | null
}

export type DetailsField = keyof GuestDetails

/** In the order of the form: the first wrong field is the one to go to. */
export const DETAILS_FIELDS: readonly DetailsField[] = [
  'name',
  'email',
  'phone',
  'alternate_phone',
  'area_id',
  'landmark',
  'address',
  'note',
]

export const NO_DETAILS: GuestDetails = {
  name: '',
  email: '',
  phone: '',
  alternate_phone: '',
  address: '',
  landmark: '',
  note: '',
  area_id: null,
}

export type DetailsProblems = Partial<Record<DetailsField, ContactProblem>>

/** What is wrong with the details, by field; empty when they will do. With the ids of the areas, an area must be one of them. */
export function guestDetailsProblems(details: GuestDetails, areaIds?: readonly number[]): DetailsProblems {
  const found: DetailsProblems = {}
  for (const field of DETAILS_FIELDS) {
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

function textProblem(field: Exclude<DetailsField, 'area_id'>, typed: string): ContactProblem | null {
  const problem = contactProblem(typed, REQUIRED[field] ?? null, field === 'phone' || field === 'alternate_phone')
  if (problem !== null || field !== 'email') return problem
  return isEmail(sanitizeText(typed)) ? null : 'details.email-invalid'
}

/** The details as they are kept: texts cleaned, phones as 01XXXXXXXXX. For details without problems. */
export function normalizeDetails(details: GuestDetails): GuestDetails {
  return {
    name: sanitizeText(details.name),
    email: sanitizeText(details.email),
    phone: normalizePhoneField(details.phone),
    alternate_phone: normalizePhoneField(details.alternate_phone),
    address: sanitizeText(details.address),
    landmark: sanitizeText(details.landmark),
    note: sanitizeText(details.note),
    area_id: details.area_id,
  }
}
