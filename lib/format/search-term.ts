// The one rule of search terms: lists and the search of the shop, lists of the admin (SQL) and the POS's catalog on the device use it.
import { searchForm } from './text.ts'

const MIN_LENGTH = 2
const MAX_LENGTH = 100
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

/** The part of a search text that a word must be: with a space before it where it must begin a word. Every text begins with a space. */
export function searchPart(word: string): string {
  return isWordPrefix(word) ? ` ${word}` : word
}

/** The LIKE pattern of a word for `products.search_text`. */
export function likePattern(word: string): string {
  const literal = word.replace(/[\\%_]/g, '\\$&')
  return isWordPrefix(word) ? `% ${literal}%` : `%${literal}%`
}

/** The normalized term, or null when it is too short. */
export function searchTerm(raw: string): string | null {
  const term = searchForm(raw.slice(0, 500)).slice(0, MAX_LENGTH)
  return [...term].length >= MIN_LENGTH && !term.includes('\u0000') ? term : null
}
