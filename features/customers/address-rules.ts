// The address book: where a customer has things brought.
//
// A name, an address and one of our areas are needed; without a phone of its own an address is called under the account's. One of
// the addresses is the default, as long as there is any. The browser remembers which one was chosen; the choice is forgotten when
// the book has no default any more, or no such address.
import { sanitizeText } from '#lib/format/text.ts'
import { areaProblem, contactProblem, normalizePhoneField, type ContactProblem } from './contact-rules.ts'

/** As many addresses as one customer keeps. */
export const MAX_ADDRESSES = 20

export interface AddressForm {
  name: string
  phone: string
  alternate_phone: string
  address: string
  landmark: string
  note: string
  /** Null until an area is chosen. */
  area_id: number | null
}

/** A saved address, as the calls answer it. */
export interface Address extends AddressForm {
  id: number
  /** The account's. */
  email: string
  is_default: boolean
}

export type AddressField = keyof AddressForm
export type AddressProblems = Partial<Record<AddressField, ContactProblem>>

/** In the order of the form: the first wrong field is the one to go to. */
export const ADDRESS_FIELDS: readonly AddressField[] = ['name', 'phone', 'alternate_phone', 'area_id', 'landmark', 'address', 'note']

const REQUIRED: Partial<Record<AddressField, ContactProblem>> = { name: 'details.name-required', address: 'details.address-required' }

/** What is wrong with an address, by field; empty when it will do. With the ids of the areas, its area must be one of them. */
export function addressProblems(form: AddressForm, areaIds?: readonly number[]): AddressProblems {
  const found: AddressProblems = {}
  for (const field of ADDRESS_FIELDS) {
    const isPhone = field === 'phone' || field === 'alternate_phone'
    const problem = field === 'area_id' ? areaProblem(form.area_id, areaIds) : contactProblem(form[field], REQUIRED[field] ?? null, isPhone)
    if (problem !== null) found[field] = problem
  }
  return found
}

/** An address as it is kept: texts cleaned, phones as 01XXXXXXXXX. For one without problems. */
export function normalizeAddress(form: AddressForm): AddressForm {
  return {
    name: sanitizeText(form.name),
    phone: normalizePhoneField(form.phone),
    alternate_phone: normalizePhoneField(form.alternate_phone),
    address: sanitizeText(form.address),
    landmark: sanitizeText(form.landmark),
    note: sanitizeText(form.note),
    area_id: form.area_id,
  }
}

/** The address to deliver to: the one remembered while it is in the book, else the default; null when there is no default. */
export function chosenAddress(addresses: readonly Address[], remembered: number | null): Address | null {
  const standard = addresses.find((address) => address.is_default)
  if (standard === undefined) return null
  return addresses.find((address) => address.id === remembered) ?? standard
}
