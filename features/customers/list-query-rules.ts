// Reads the search and filters of the list of customers from a URL.
//
// Newest first. A number is a phone in any spelling, or its beginning, or a customer's own number; what has an @ is an email's beginning;
// a word is a name in either script.
import type { ListSorts } from '#lib/db/keyset.ts'
import { readShortId, readTypedId } from '#lib/format/id.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone, phoneRange } from '#lib/format/phone.ts'
import { sanitizeText, isStorable } from '#lib/format/text.ts'
import { isDay } from '#lib/format/time.ts'

export type CustomerSearch =
  | { by: 'phone'; phone: string }
  | { by: 'phone-start'; from: string; to: string }
  | { by: 'number'; id: number }
  | { by: 'email'; start: string }
  | { by: 'name'; text: string }

/** The orders of the list. Each has an index. */
export const CUSTOMER_SORTS = { new: { keys: 1, order: 'desc' }, name: { keys: 1, order: 'asc' } } as const satisfies ListSorts<string>
export type CustomerSort = keyof typeof CUSTOMER_SORTS

export interface CustomerFilter {
  search: CustomerSearch | null
  isDisabled: boolean
  /** Bought a product of the category. */
  categoryId: number | null
  /** Bought the product. */
  productId: number | null
  /** Had an order brought to the area. */
  areaId: number | null
  /** Ordered nothing on this day in Dhaka or later. */
  quietSince: string | null
  /** Has an amount due. */
  owes: boolean
}

/** The names of the segments in the address. */
export const SEGMENT_NAMES = ['category_id', 'product_id', 'area_id', 'quiet_since', 'due'] as const
export type SegmentName = (typeof SEGMENT_NAMES)[number]

/** Reads the filters of a URL; invalid ones are ignored. Filters are combined with "and". */
export function readCustomerFilter(query: Record<string, string | undefined>): CustomerFilter {
  return {
    search: readCustomerSearch(query.q),
    isDisabled: query.state === 'disabled',
    categoryId: readShortId(query.category_id),
    productId: readShortId(query.product_id),
    areaId: readShortId(query.area_id),
    quietSince: query.quiet_since !== undefined && isDay(query.quiet_since) ? query.quiet_since : null,
    owes: query.due === 'yes',
  }
}

/** Whether the filter names a segment, beyond a search. */
export function isSegment({ categoryId, productId, areaId, quietSince, owes }: CustomerFilter): boolean {
  return categoryId !== null || productId !== null || areaId !== null || quietSince !== null || owes
}

/** Parses a search text; null when it is empty or not storable. */
export function readCustomerSearch(typed: string | undefined): CustomerSearch | null {
  if (typed === undefined || !isStorable(typed)) return null
  const text = latinDigits(sanitizeText(typed)).slice(0, 100)
  const phone = normalizePhone(text)
  if (phone) return { by: 'phone', phone }
  const begun = phoneRange(text)
  if (begun) return { by: 'phone-start', ...begun }
  const id = readTypedId(text)
  if (id !== null) return { by: 'number', id }
  if (text.includes('@')) return { by: 'email', start: text.toLowerCase() }
  return text === '' ? null : { by: 'name', text }
}
