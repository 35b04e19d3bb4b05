// Search terms: their normalization and how a word matches. Used by the product index, admin lists (SQL) and the POS catalog.
import { foldText, searchForm } from './text.ts'

/** Characters of a search term. */
export const MIN_SEARCH_LENGTH = 2
export const MAX_SEARCH_LENGTH = 100
const MAX_WORDS = 6

/** A word of at most this many letters matches the beginning of words only. */
const PREFIX_ONLY_LENGTH = 2

/** Whether this word matches only where another word begins with it. */
export function isWordPrefix(word: string): boolean {
  return word.length <= 2 * PREFIX_ONLY_LENGTH && [...word].length <= PREFIX_ONLY_LENGTH
}

/** The words of a normalized term; all of them must match. */
export function searchWords(term: string): string[] {
  return term.split(' ').filter(Boolean).slice(0, MAX_WORDS)
}

/** The substring that a search text must contain for a word: with a leading space for a word prefix. Every search text starts with a space. */
export function searchPart(word: string): string {
  return isWordPrefix(word) ? ` ${word}` : word
}

/** The search text of a product, with a space before every word. SQL `product_search_text` has the same rule for `products.search_text`. */
export function searchText(parts: readonly (string | null)[]): string {
  return foldText(` ${parts.filter(Boolean).join(' ')}`)
}

/** Of more matches, only so many, the first ones, are compared by name. */
export const MAX_NAMED = 256

/** The matches with each word at the beginning of a word of their name (a `searchText`), then the others, both in their order. */
export function namesFirst<Match>(matches: readonly Match[], words: readonly string[], nameOf: (match: Match) => string): Match[] {
  const [named, others]: [Match[], Match[]] = [[], []]
  for (const match of matches) {
    const name = nameOf(match)
    const isNamed = words.every((word) => name.includes(` ${word}`))
    ;(isNamed ? named : others).push(match)
  }
  return [...named, ...others]
}

/** The LIKE pattern that matches this text alone. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** The LIKE pattern of a word for `products.search_text`. */
export function likePattern(word: string): string {
  const literal = escapeLike(word)
  return isWordPrefix(word) ? `% ${literal}%` : `%${literal}%`
}

/** The normalized term, or null when it is too short. */
export function searchTerm(raw: string): string | null {
  const term = searchForm(raw.slice(0, 500)).slice(0, MAX_SEARCH_LENGTH)
  return [...term].length >= MIN_SEARCH_LENGTH && !term.includes('\u0000') ? term : null
}
