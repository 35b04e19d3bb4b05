/** The longest text a form field takes. */
export const TEXT_LIMIT = 255

/**
 * A typed text in the form it is kept: composed (NFC), trimmed, without invisible direction marks at its ends or control characters.
 * Line breaks inside stay. The zero-width joiners of Bengali stay. A text of which nothing is seen is none.
 */
export function cleanText(raw: string): string {
  const text = raw
    .normalize('NFC')
    // oxlint-disable-next-line no-control-regex -- removing them is the point
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069\ufeff]/g, ' ')
    .replace(/^[\s\u200b-\u200f\u2060]+|[\s\u200b-\u200f\u2060]+$/g, '')
  return UNSEEN.test(text) ? '' : text
}

/** Nothing but what is not drawn: fillers, soft hyphens, marks of variation without a letter, the blank of Braille. */
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\p{M}\s\u2800]*$/u

/** Whether PostgreSQL and a browser keep the text unchanged: no NUL, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/\p{Surrogate}/u.test(text) && !text.includes('\u0000')
}

/** Whether a text has more characters than a field takes. Code points count, as in PostgreSQL: an emoji is one. */
export function isTooLong(text: string, max = TEXT_LIMIT): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}

/** The form in which texts are searched: composed, lower case, single spaces, Latin digits left as typed. */
export function searchForm(raw: string): string {
  return cleanText(raw).toLowerCase().replace(/\s+/g, ' ')
}

/** Cuts a text to so many characters, without cutting a character in two, and marks the cut. */
export function shorten(text: string, limit: number): string {
  const characters = [...text]
  return characters.length <= limit
    ? text
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
}
