import { isSameWord } from './csv-columns.ts'

/** A category as a cell of a file can name it. */
export interface NamedCategory {
  id: number
  slug: string
  name_en: string
  name_bn: string
}

/** From the strictest to the loosest: a renamed category keeps its short name, which can be the name of another category now. */
const NAMES: ((category: NamedCategory) => string)[] = [
  ({ id }) => String(id),
  ({ name_en }) => name_en,
  ({ name_bn }) => name_bn,
  ({ slug }) => slug,
  ({ slug }) => slug.replaceAll('-', ' '),
]

/**
 * Finds the category that a cell names by id, English name, Bengali name or short name. Bengali names are not unique: the product's own
 * category (`current`) wins, and a name of several others is `unclear`.
 */
export function findCategory(
  categories: readonly NamedCategory[],
  cell: string,
  current: readonly number[],
): number | 'unknown' | 'unclear' {
  for (const nameOf of NAMES) {
    const found = categories.filter((category) => isSameWord(nameOf(category), cell))
    const own = found.find(({ id }) => current.includes(id))
    if (own) return own.id
    if (found[0]) return found.length === 1 ? found[0].id : 'unclear'
  }
  return 'unknown'
}
