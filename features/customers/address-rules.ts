// The address book: the delivery addresses of a customer.
//
// Name, address and area are required. An address without a phone uses the account's. One address is the default if there is any. The browser
// stores the chosen address; the choice ends when there is no default or no such address.
import { sanitizeText } from '#lib/format/text.ts'
import { areaProblem, contactProblem, normalizePhoneField, type ContactProblem } from './contact-rules.ts'

/** The maximum number of addresses of a customer. */
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

/** A saved address in JSON. */
export interface Address extends AddressForm {
  id: number
  /** The account's. */
  email: string
  is_default: boolean
}

export type AddressField = keyof AddressForm
export type AddressProblems = Partial<Record<AddressField, ContactProblem>>

/** In the order of the form; the first invalid field gets the focus. */
export const ADDRESS_FIELDS: readonly AddressField[] = ['name', 'phone', 'alternate_phone', 'area_id', 'address', 'landmark', 'note']

const REQUIRED: Partial<Record<AddressField, ContactProblem>> = { name: 'details.name-required', address: 'details.address-required' }

/** The problems of an address by field; empty when it is valid. With `areaIds` its area must be one of them. */
export function addressProblems(form: AddressForm, areaIds?: readonly number[]): AddressProblems {
  const found: AddressProblems = {}
  for (const field of ADDRESS_FIELDS) {
    const isPhone = field === 'phone' || field === 'alternate_phone'
    const problem = field === 'area_id' ? areaProblem(form.area_id, areaIds) : contactProblem(form[field], REQUIRED[field] ?? null, isPhone)
    if (problem !== null) found[field] = problem
  }
  return found
}

/** Normalizes a valid address: sanitized texts, phones as 01XXXXXXXXX. */
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

/** The delivery address: the stored choice if it exists, else the default; null when there is no default. */
export function chosenAddress(addresses: readonly Address[], storedId: number | null): Address | null {
  const standard = addresses.find((address) => address.is_default)
  if (standard === undefined) return null
  return addresses.find((address) => address.id === storedId) ?? standard
}
