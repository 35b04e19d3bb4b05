import { searchForm } from '#lib/format/text.ts'

const MIN = 2
const MAX = 100
const MAX_WORDS = 6

/** A word of so few letters says too little to be looked for inside of others: it must begin one. */
const BEGINNING_ONLY = 2

/** Whether this word is only found where another begins with it. */
export function isWordPrefix(word: string): boolean {
  return word.length <= 2 * BEGINNING_ONLY && [...word].length <= BEGINNING_ONLY
}

/** The words of a term that are looked for. */
export function classCandidates(term: string): string[] {
  return term.split(' ').filter(Boolean).slice(0, MAX_WORDS)
}

/** The LIKE pattern of a word in `products.search_text`, where a space stands before every word. */
export function likePattern(word: string): string {
  const itself = word.replace(/[\\%_]/g, '\\$&')
  return isWordPrefix(word) ? `% ${itself}%` : `%${itself}%`
}

/** What is searched for, or null when it is too short to mean anything. */
export function searchTerm(raw: string): string | null {
  const term = searchForm(raw.slice(0, 500)).slice(0, MAX)
  return [...term].length >= MIN && !term.includes('\u0000') ? term : null
}
