import { isSameWord } from './csv-columns.ts'

/** A category with the names that a cell can contain. */
export interface NamedCategory {
  id: number
  slug: string
  name_en: string
  name_bn: string
}

/** Names by precedence: the slug of a renamed category can be the name of another one. */
const NAMES: ((category: NamedCategory) => string)[] = [
  ({ id }) => String(id),
  ({ name_en }) => name_en,
  ({ name_bn }) => name_bn,
  ({ slug }) => slug,
  ({ slug }) => slug.replaceAll('-', ' '),
]

/**
 * The category of a cell by its id, English name, Bengali name or slug. Bengali names are not unique: the product's own category (`current`) wins,
 * and a name of several others is `unclear`.
 */
export function matchCategory(
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
