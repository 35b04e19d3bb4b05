import type { CategoryKey } from '#features/catalog/category-keys.ts'
import type { Bilingual } from '#features/settings/settings.ts'

/** A season of the rate table; `''` applies all year. */
export const KURBANI_SEASON = 'kurbani'

/** Ids of the built-in categories in a fresh database, as the migrations insert them. */
export const KEYED_IDS = { beef: 2, fruits: 3, kurbani: 4 } as const satisfies Partial<Record<CategoryKey, number>>

interface DemoCategory {
  id: number
  slug: string
  name: Bilingual
  description: string
}

/** The demo's categories, in addition to the built-in ones. */
export const CATEGORIES: DemoCategory[] = [
  { id: 5, slug: 'sugarcane', name: { en: 'Sugarcane', bn: 'আখ' }, description: 'Cane from our own field, and what is made of it' },
  { id: 6, slug: 'field', name: { en: 'From the field', bn: 'মাঠের ফসল' }, description: 'Vegetables and rice' },
]

/** Taka per kg of live weight, by minimum weight. */
export const RATE_TIERS = [
  { categoryId: KEYED_IDS.kurbani, season: KURBANI_SEASON, fromKg: 200, takaPerKg: 550 },
  { categoryId: KEYED_IDS.kurbani, season: KURBANI_SEASON, fromKg: 251, takaPerKg: 540 },
  { categoryId: KEYED_IDS.kurbani, season: KURBANI_SEASON, fromKg: 301, takaPerKg: 530 },
  { categoryId: KEYED_IDS.kurbani, season: KURBANI_SEASON, fromKg: 351, takaPerKg: 525 },
  { categoryId: KEYED_IDS.beef, season: '', fromKg: 0, takaPerKg: 520 },
]

/** Price by the tier with the highest minimum not above the weight, in whole taka, half up. */
export function liveWeightPriceTaka(categoryId: number, kg: number): number {
  const tier = RATE_TIERS.filter((t) => t.categoryId === categoryId && t.fromKg <= kg).at(-1)
  if (!tier) throw new Error(`no rate for ${kg} kg in category ${categoryId}`)
  return Math.round(kg * tier.takaPerKg)
}
