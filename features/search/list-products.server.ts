import { MAX_PRICE_TAKA } from '#features/catalog/limits.ts'
import { PAGE_SIZE } from '#features/catalog/listing-query-rules.ts'
import { productJson } from '#features/catalog/product-rows.server.ts'
import { listProductRowsInOrder, listSectionProductIds } from '#features/catalog/queries.server.ts'
import { availabilityRank } from '#features/catalog/rules.ts'
import { unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import type { ListingJson, ProductJson, ProductStatus } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import { takaToPoisha } from '#lib/format/money.ts'
import { searchTerm, searchWords } from '#lib/format/search-term.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { listFilters } from './list-filters.server.ts'
import type { TraitValues } from './product-index/animal-traits.ts'
import type { IndexQuery } from './product-index/index-types.ts'
import type { ProductSearch } from './product-search.server.ts'

/** A list as requested; prices in taka, already checked. */
export interface ListingFilter {
  categoryId: number | null
  minPrice: number
  maxPrice: number
  sort: 'asc' | 'desc' | null
  page: number
  status?: ProductStatus | null
  limit?: number | undefined
  search?: string | undefined
  traits?: TraitValues
}

export interface ListingDeps {
  db: Db
  search: Pick<ProductSearch, 'index'>
}

/** Whether all products are listed, in the shop's own order: the list below the sections of the home page. */
const isHomeList = ({ categoryId, sort, status, search, minPrice, maxPrice }: ListingFilter) =>
  categoryId === null && sort === null && !status && !search && minPrice <= 0 && maxPrice >= MAX_PRICE_TAKA

/**
 * One page of a list with its count, ordered and bounded by the prices that its cards show; a page past the end is empty. The list of all
 * products ends with those of the home page's sections, so that its first pages do not repeat them.
 */
export async function listProducts({ db, search }: ListingDeps, filter: ListingFilter, lang: Lang): Promise<ListingJson> {
  const limit = filter.limit ?? PAGE_SIZE
  const term = filter.search ? searchTerm(filter.search) : null
  const [last, index] = await Promise.all([isHomeList(filter) ? listSectionProductIds(db) : [], search.index()])
  const query: IndexQuery = {
    last,
    categoryId: filter.categoryId,
    sort: filter.sort,
    low: Math.round(filter.minPrice * 100),
    high: Math.round(filter.maxPrice * 100),
    rank: filter.status ? availabilityRank(filter.status) : null,
    words: term ? searchWords(term) : [],
    traits: filter.traits ?? {},
    from: (filter.page - 1) * limit,
    limit,
  }
  const { ids, total } = index.list(query)
  const traits = filter.traits ?? {}
  // A list of everything is narrowed by traits through its URL only.
  const isNarrowable = filter.categoryId !== null || Object.values(traits).some((value) => value !== undefined)
  const filters = isNarrowable ? listFilters(index.traitCounts(query), traits, { total, lang }) : []
  const found = await listProductRowsInOrder(db, ids)
  const from = found.length === 0 ? 0 : (filter.page - 1) * limit + 1
  return {
    products: found.map((row) => productJson(row, lang)),
    filters,
    pagination: {
      from,
      to: found.length === 0 ? 0 : from + found.length - 1,
      total,
      lastPage: Math.max(1, Math.ceil(total / limit)),
      currentPage: filter.page,
    },
    minPrice: filter.minPrice,
    maxPrice: filter.maxPrice,
  }
}

/** Products of the same category that can be ordered, nearest in price first. */
export async function listSimilar({ db, search }: ListingDeps, product: ProductJson, limit: number, lang: Lang): Promise<ProductJson[]> {
  const category = product.categories[0]?.id
  if (category === undefined) return []
  const discount = product.discount_type === null ? null : { kind: product.discount_type, value: Math.round((product.discount ?? 0) * 100) }
  const price = unitPriceAfterDiscount(takaToPoisha(product.price), discount)
  const near = (await search.index()).near(category, price, limit, product.id)
  return (await listProductRowsInOrder(db, near)).map((row) => productJson(row, lang))
}
