// Keys of the categories that pages of the shop depend on. A key never changes; names do.

export const CATEGORY_KEYS = ['home', 'beef', 'fruits', 'kurbani'] as const
export type CategoryKey = (typeof CATEGORY_KEYS)[number]

/** The specified English name of a keyed category, before an owner renames it. */
const SPECIFIED_NAMES = new Map<string, CategoryKey>([
  ['Beef', 'beef'],
  ['Fruits', 'fruits'],
  ['Kurbani Cow', 'kurbani'],
])

/** The page that lists a keyed category. */
export const LIST_PATHS: Record<CategoryKey, string> = { home: '/', beef: '/beef', fruits: '/fruits', kurbani: '/kurbani' }

/** The page that lists a category: its own for a keyed one, else by its slug. */
export function categoryPath({ key, slug }: { key: CategoryKey | null; slug: string }): string {
  return key === null ? `/category/${slug}` : LIST_PATHS[key]
}

interface Keyed {
  key: CategoryKey | null
}

/** Whether a product, or a cart item, belongs to a keyed category. */
export function isInCategory({ categories }: { categories: readonly Keyed[] }, key: CategoryKey): boolean {
  return categories.some((category) => category.key === key)
}

/** Finds the keyed category of a list. */
export function findByKey<Category extends Keyed>(categories: readonly Category[], key: CategoryKey): Category | undefined {
  return categories.find((category) => category.key === key)
}

/** Reads a stored key. A cart stored without keys names its categories in English as specified. */
export function readCategoryKey(key: unknown, name: string): CategoryKey | null {
  if (key === undefined) return SPECIFIED_NAMES.get(name) ?? null
  return CATEGORY_KEYS.find((one) => one === key) ?? null
}
