import type { Bilingual } from '#features/catalog/settings.ts'

/** Seasons of the rate table: '' holds all year. */
export const KURBANI_SEASON = 'kurbani'

interface DemoCategory {
  id: number
  slug: string
  name: Bilingual
  description: string
  group: 'cattle' | 'produce'
  isProtected: boolean
  finalWeighingDays: number | null
}

/** Ids 1 to 3 are known to the pages; 'Kurbani Cow' is known by its name. */
export const CATEGORIES: DemoCategory[] = [
  {
    id: 1,
    slug: 'home',
    name: { en: 'Home listing', bn: 'সব পণ্য' },
    description: 'Everything the farm sells',
    group: 'produce',
    isProtected: true,
    finalWeighingDays: null,
  },
  {
    id: 2,
    slug: 'beef',
    name: { en: 'Beef', bn: 'মাংসের গরু' },
    description: 'Beef cattle by live weight',
    group: 'cattle',
    isProtected: true,
    finalWeighingDays: 2,
  },
  {
    id: 3,
    slug: 'fruits',
    name: { en: 'Fruits', bn: 'ফল' },
    description: 'Fruit of the season, by weight',
    group: 'produce',
    isProtected: true,
    finalWeighingDays: null,
  },
  {
    id: 4,
    slug: 'kurbani-cow',
    name: { en: 'Kurbani Cow', bn: 'কোরবানির গরু' },
    description: 'Cows and bulls for Eid-ul-Adha',
    group: 'cattle',
    isProtected: true,
    finalWeighingDays: 4,
  },
  {
    id: 5,
    slug: 'sugarcane',
    name: { en: 'Sugarcane', bn: 'আখ' },
    description: 'Cane from our own field, and what is made of it',
    group: 'produce',
    isProtected: false,
    finalWeighingDays: null,
  },
  {
    id: 6,
    slug: 'field',
    name: { en: 'From the field', bn: 'মাঠের ফসল' },
    description: 'Vegetables and rice',
    group: 'produce',
    isProtected: false,
    finalWeighingDays: null,
  },
]

/** Taka a kg of live weight, from so many kg on. */
export const RATE_TIERS = [
  { categoryId: 4, season: KURBANI_SEASON, fromKg: 200, takaPerKg: 550 },
  { categoryId: 4, season: KURBANI_SEASON, fromKg: 251, takaPerKg: 540 },
  { categoryId: 4, season: KURBANI_SEASON, fromKg: 301, takaPerKg: 530 },
  { categoryId: 4, season: KURBANI_SEASON, fromKg: 351, takaPerKg: 525 },
  { categoryId: 2, season: '', fromKg: 0, takaPerKg: 520 },
]

/** The tier with the largest bound not above the weight counts; whole taka, half up. */
export function liveWeightPriceTaka(categoryId: number, kg: number): number {
  const tier = RATE_TIERS.filter((t) => t.categoryId === categoryId && t.fromKg <= kg).at(-1)
  if (!tier) throw new Error(`no rate for ${kg} kg in category ${categoryId}`)
  return Math.round(kg * tier.takaPerKg)
}
