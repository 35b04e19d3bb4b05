// Tags of orders: short words in lower case, a few to an order.
import { sanitizeText } from '#lib/format/text.ts'

export const MAX_TAG_LENGTH = 30
/** Tags of one order. */
export const MAX_ORDER_TAGS = 10
/** Orders whose tags are changed in one request. */
export const MAX_TAGGED_ORDERS = 100

/** The stored form of a typed tag; empty for none. Spaces and case do not make another tag. */
export function normalizeTag(typed: string): string {
  return sanitizeText(typed).toLowerCase().trim()
}
