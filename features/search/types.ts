import type { ProductStatus, Unit } from '#features/catalog/types.ts'

/** Products that a search shows, on the POS without a connection too. */
export const MAX_SEARCH_RESULTS = 20

/** A product in the suggestions of the search box. `price` is the price as shown, in taka. */
export interface SuggestionJson {
  id: number
  name: string
  price: number
  unit: Unit
  status: ProductStatus
  /** The smallest picture. */
  picture: string | null
  tag_number: string | null
  weight_kg: number | null
}

/** `GET /api/product/suggestions`. */
export interface SuggestionsJson {
  products: SuggestionJson[]
}
