import type { AnimalTraits, TraitFilter } from './animal-traits.ts'
import type { Compare } from './sorted-ids.ts'

/** The values that lists and search need of a product. */
export interface IndexedProduct {
  id: number
  categoryId: number
  /** Its other categories; left out: none. */
  furtherIds?: readonly number[]
  /** Availability rank: what can be bought comes first. */
  rank: number
  /** The price after discount, in poisha. */
  price: number
  isVisible: boolean
  /** The search text and its hash. */
  text: string
  textHash: number
  /** The names in both languages, as a `searchText`. */
  name: string
  /** Barcode and tag, folded like the text. */
  barcode: string | null
  tag: string | null
  /** Left out for products that are no animals. */
  traits?: AnimalTraits
}

/** A list query. Price bounds in poisha are inclusive; without words every product matches. */
export interface IndexQuery {
  categoryId: number | null
  sort: 'asc' | 'desc' | null
  low: number
  high: number
  rank: number | null
  words: readonly string[]
  /** Left out: any. */
  traits?: TraitFilter
  from: number
  limit: number
  /** Ids of products that come after all others, in an unsorted list without price bounds, rank and words. Left out: none. */
  last?: readonly number[]
}

/** By price, or by availability. */
export type Sort = 'asc' | 'desc' | 'availability'

/** The document numbers of a category (null: of all), sorted. */
export interface Order {
  categoryId: number | null
  sort: Sort
  compare: Compare
  docs: Uint32Array
}
