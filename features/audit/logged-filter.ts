import { sanitizeText } from '#lib/format/text.ts'

const MAX_LENGTH = 500

/** The filters of a list as the log shows them. A search is a name or a phone, and only named as such. */
export function loggedFilter(query: string): string {
  const filter = new URLSearchParams(query)
  if (filter.has('q')) filter.set('q', '…')
  // A cut may leave half of a character, which PostgreSQL refuses like a NUL.
  return sanitizeText(decodeURIComponent(filter.toString()).slice(0, MAX_LENGTH)).toWellFormed()
}
