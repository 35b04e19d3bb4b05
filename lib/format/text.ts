import { latinDigits } from './numbers.ts'

/** The default maximum of characters in a form field. */
export const TEXT_LIMIT = 255

/**
 * The maximum of UTF-16 units of an input that can be normalized to `max` characters. NFC shortens a text to a quarter at most; the
 * rest is for blanks at its ends. Longer inputs are rejected without normalizing them.
 */
export function maxRawLength(max: number): number {
  return 4 * max + 1000
}

/**
 * Normalizes a typed text for storage: NFC, trimmed, without control characters or direction marks. Inner line breaks and the zero-width
 * joiners of Bengali stay. A text without visible characters becomes empty. Linear time.
 */
export function sanitizeText(raw: string): string {
  const text = compose(raw).replace(/[\u0000-\u0009\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069\ufeff]/g, ' ')
  const trimmed = trimEdges(text)
  return UNSEEN.test(trimmed) ? '' : trimmed
}

const MAX_MARKS_IN_A_ROW = 30
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * The text in NFC or NFKC. Of combining marks in a row the first thirty stay (UAX #15, stream-safe text): no script needs more, and
 * the normalization sorts a row in time that grows by its square.
 */
export function compose(raw: string, form: 'NFC' | 'NFKC' = 'NFC'): string {
  return (raw.length > MAX_MARKS_IN_A_ROW ? raw.replace(EXCESS_MARKS, '$1') : raw).normalize(form)
}

const EDGE = /[\s\u200b-\u200f\u2060]/

/** Trims blanks and zero-width characters. A loop, because `/[…]+$/` takes quadratic time for inner runs of blanks. */
function trimEdges(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && EDGE.test(text.charAt(start))) start += 1
  while (end > start && EDGE.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Invisible characters only: fillers, soft hyphens, variation selectors without a letter, the Braille blank. */
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\p{M}\s\u2800]*$/u

/** Whether PostgreSQL can store the text: no NUL, no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !/\p{Surrogate}/u.test(text) && !text.includes('\u0000')
}

/** Whether a text has more than `max` characters. Counts code points, as PostgreSQL does. */
export function isTooLong(text: string, max = TEXT_LIMIT): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}

const ASCII = /^[\u0000-\u007f]*$/

/** The form in which texts and codes are compared: NFC in lower case with digits 0-9, as in SQL `product_search_text`. */
export function foldText(text: string): string {
  // Barcodes and Latin names have no other form.
  if (ASCII.test(text)) return text.toLowerCase()
  return latinDigits(text.normalize('NFC').toLowerCase())
}

/** The normalized form of a typed search term: sanitized, folded, with single spaces. */
export function searchForm(raw: string): string {
  return foldText(sanitizeText(raw)).replace(/\s+/g, ' ')
}

/**
 * Cuts a text to `limit` characters. Counts code points: `slice` may cut one in half, and PostgreSQL refuses half a character in JSON. For
 * texts of other companies; what people write is refused when it is too long.
 */
export function truncate(text: string, limit: number): string {
  return isTooLong(text, limit) ? [...text].slice(0, limit).join('') : text
}

/** The same with an ellipsis at the end of a text that is cut. */
export function shorten(text: string, limit: number): string {
  return isTooLong(text, limit) ? `${truncate(text, limit - 1).trimEnd()}…` : text
}
