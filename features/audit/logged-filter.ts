import { sanitizeText } from '#lib/format/text.ts'

const MAX_LENGTH = 500

/** The filters of a list as they are logged. A value with an `&` is read as two. */
export function readLoggedFilter(filter: string): [name: string, value: string][] {
  const parts = filter.split('&').filter((part) => part !== '')
  return parts.map((part) => {
    const at = part.indexOf('=')
    return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
  })
}

/** The query of a list as the log shows it. A search is a name or a phone, and only named as such. */
export function loggedFilter(query: Iterable<readonly [name: string, value: string | undefined]>): string {
  const filters = [...query].map(([name, value = '']) => `${name}=${name === 'q' && value !== '' ? '…' : value}`)
  // A cut may leave half of a character, which PostgreSQL refuses like a NUL.
  return sanitizeText(filters.join('&').slice(0, MAX_LENGTH)).toWellFormed()
}
