import type { CategoryKey } from '#features/catalog/category-keys.ts'
import { liveWeightPrice } from '#features/catalog/products/live-weight-rules.ts'
import type { Bilingual } from '#features/settings/settings.ts'
import { type Poisha, taka } from '#lib/format/money.ts'
import { toMilli } from '#lib/format/numbers.ts'

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

const tier = (key: 'beef' | 'kurbani', season: string, fromKg: number, takaPerKg: number) => ({
  categoryId: KEYED_IDS[key],
  season,
  fromGrams: toMilli(fromKg),
  poishaPerKg: taka(takaPerKg),
})

/** The rates of live weight. */
export const RATE_TIERS = [
  tier('kurbani', KURBANI_SEASON, 200, 550),
  tier('kurbani', KURBANI_SEASON, 251, 540),
  tier('kurbani', KURBANI_SEASON, 301, 530),
  tier('kurbani', KURBANI_SEASON, 351, 525),
  tier('beef', '', 0, 520),
]

/** The price of an animal by these rates. */
export function animalPrice(categoryId: number, kg: number): Poisha {
  const price = liveWeightPrice(
    toMilli(kg),
    RATE_TIERS.filter((rate) => rate.categoryId === categoryId),
  )
  if (price === null) throw new Error(`no rate for ${kg} kg in category ${categoryId}`)
  return price
}
