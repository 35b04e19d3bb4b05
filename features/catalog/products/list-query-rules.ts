// The filters of the admin product list in its URL. All filters apply; invalid values are ignored.
import { readShortId } from '#lib/format/id.ts'
import { searchTerm } from '#lib/format/search-term.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import { type ProductKind } from './product-rules.ts'

/** The filter by visibility in the URL: visible in the shop, hidden, archived, all. Without it: all except archived products. */
export const VISIBILITIES = ['shop', 'hidden', 'archived', 'all'] as const
/** The status filter of everything that was not sold, as of the animals that are left in a season. */
export const UNSOLD = 'unsold'
export const STATUS_FILTERS = [...PRODUCT_STATUSES, UNSOLD] as const
export const PRODUCT_SORTS = ['new', 'name', 'price'] as const

export interface ProductFilter {
  search: string | null
  categoryId: number | null
  status: (typeof STATUS_FILTERS)[number] | null
  kind: ProductKind | null
  /** Null: all except archived products. */
  visibility: (typeof VISIBILITIES)[number] | null
  isLow: boolean
  sort: (typeof PRODUCT_SORTS)[number]
  order: 'asc' | 'desc'
}

/** Parses the filters of a URL. */
export function readProductFilter(query: Record<string, string | undefined>): ProductFilter {
  const sort = PRODUCT_SORTS.find((one) => one === query.sort) ?? 'new'
  return {
    search: query.q === undefined ? null : searchTerm(query.q),
    categoryId: readShortId(query.category),
    status: STATUS_FILTERS.find((one) => one === query.status) ?? null,
    kind: query.kind === 'animal' || query.kind === 'goods' ? query.kind : null,
    visibility: VISIBILITIES.find((one) => one === query.visibility) ?? null,
    isLow: query.low === '1',
    sort,
    order: query.order === 'asc' || query.order === 'desc' ? query.order : sort === 'new' ? 'desc' : 'asc',
  }
}
