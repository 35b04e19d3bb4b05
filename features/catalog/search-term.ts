import { searchForm } from '#lib/text.ts'

const SHORTEST = 2
const LONGEST = 100

/** The text as LIKE must have it to mean itself. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** What is searched for, or null when it is too short to mean anything. */
export function searchTerm(raw: string): string | null {
  const term = searchForm(raw.slice(0, 500)).slice(0, LONGEST)
  return [...term].length >= SHORTEST && !term.includes('\u0000') ? term : null
}
