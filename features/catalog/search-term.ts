import { searchForm } from '#lib/text.ts'

const SHORTEST = 2
const LONGEST = 100

/** A word of so few letters says too little to be looked for inside of others: it must begin one. */
const BEGINNING_ONLY = 2

/** The LIKE pattern of a word in `products.search_text`, where a space stands before every word. */
export function likePattern(word: string): string {
  const itself = word.replace(/[\\%_]/g, '\\$&')
  return [...word].length <= BEGINNING_ONLY ? `% ${itself}%` : `%${itself}%`
}

/** What is searched for, or null when it is too short to mean anything. */
export function searchTerm(raw: string): string | null {
  const term = searchForm(raw.slice(0, 500)).slice(0, LONGEST)
  return [...term].length >= SHORTEST && !term.includes('\u0000') ? term : null
}
