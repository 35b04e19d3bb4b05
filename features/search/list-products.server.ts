import { PAGE_SIZE } from '#features/catalog/listing-query-rules.ts'
import { productJson } from '#features/catalog/product-rows.server.ts'
import { listProductRowsInOrder } from '#features/catalog/queries.server.ts'
import { availabilityRank } from '#features/catalog/rules.ts'
import { unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import type { ListingJson, ProductJson, ProductStatus } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import { takaToPoisha } from '#lib/format/money.ts'
import { searchTerm, searchWords } from '#lib/format/search-term.ts'
import type { Lang } from '#lib/i18n/lang.ts'
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
}

export interface ListingDeps {
  db: Db
  search: Pick<ProductSearch, 'index'>
}

/** One page of a list with its count, ordered and bounded by the prices that its cards show; a page past the end is empty. */
export async function listProducts({ db, search }: ListingDeps, filter: ListingFilter, lang: Lang): Promise<ListingJson> {
  const limit = filter.limit ?? PAGE_SIZE
  const term = filter.search ? searchTerm(filter.search) : null
  const { ids, total } = (await search.index()).list({
    categoryId: filter.categoryId,
    sort: filter.sort,
    low: Math.round(filter.minPrice * 100),
    high: Math.round(filter.maxPrice * 100),
    rank: filter.status ? availabilityRank(filter.status) : null,
    words: term ? searchWords(term) : [],
    from: (filter.page - 1) * limit,
    limit,
  })
  const found = await listProductRowsInOrder(db, ids)
  const from = found.length === 0 ? 0 : (filter.page - 1) * limit + 1
  return {
    products: found.map((row) => productJson(row, lang)),
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
