import { MAX_PRICE } from '#features/catalog/limits.ts'
import { pictureUrl, productJson, type ProductRow } from '#features/catalog/product-rows.server.ts'
import { listProductRowsInOrder } from '#features/catalog/queries.server.ts'
import { pricesOf } from '#features/catalog/shown-price-rules.ts'
import { type Revision, RevisionGuard } from '#lib/async/revision-cache.ts'
import type { Db } from '#lib/db/db.server.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import { codeForms, latinCode } from '#lib/format/latin-code.ts'
import { searchTerm, searchWords } from '#lib/format/search-term.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { TraitFilter } from './product-index/animal-traits.ts'
import type { IndexQuery } from './product-index/index-types.ts'
import type { ProductIndex } from './product-index/product-index.ts'
import { ProductIndexLoader } from './product-index/product-index-loader.server.ts'
import { parseSearch, type SearchFilter } from './search-filter-rules.ts'
import { SearchResultCache } from './search-result-cache.server.ts'
import { MAX_SEARCH_RESULTS, type SuggestionJson, type SuggestionsJson } from './types.ts'

const MAX_SUGGESTIONS = 6
/** A budget of at least so many taka without other words is for an animal. */
const MIN_ANIMAL_BUDGET = 10_000

/** The product index of this process and the serialized results of the search box, on one revision of the catalog. */
export class ProductSearch {
  readonly #db: Db
  readonly #loader: ProductIndexLoader
  readonly #results: SearchResultCache
  readonly #guard: RevisionGuard

  constructor(db: Db, revision: Revision) {
    this.#db = db
    this.#loader = new ProductIndexLoader(db, revision)
    this.#results = new SearchResultCache(db)
    this.#guard = new RevisionGuard(revision, () => this.#results.invalidate())
  }

  /** The index with every committed change. Throws when the database is away. */
  index(): Promise<ProductIndex> {
    return this.#loader.current()
  }

  /** Products that match a normalized term in names, tag, breed or keywords. An exact barcode or tag comes first. */
  async findMatches(term: string, limit: number): Promise<ProductRow[]> {
    return (await this.findWithFilters(term, limit)).rows
  }

  /** The same with the weight and budget that the term was read as; none when its words are found as they are. */
  async findWithFilters(term: string, limit: number): Promise<{ rows: ProductRow[]; filters: SearchFilter[] }> {
    const { ids, filters } = await this.#match(term, limit)
    return { rows: await listProductRowsInOrder(this.#db, ids), filters }
  }

  /** The first products for a text that is being typed. A text of fewer than two characters has none. */
  async suggest(raw: string, lang: Lang): Promise<SuggestionsJson> {
    const term = searchTerm(raw)
    const rows = term ? await this.findMatches(term, MAX_SUGGESTIONS) : []
    return { products: rows.map((row) => suggestion(row, lang)) }
  }

  /** At most 20 products for the search box, as the JSON of `SearchResultJson[]`. A term of fewer than two characters has no results. */
  async search(raw: string, lang: Lang): Promise<string> {
    const term = searchTerm(raw)
    const { ids } = term ? await this.#match(term, MAX_SEARCH_RESULTS) : { ids: [] }
    if (ids.length === 0) return '[]'
    this.#guard.check()
    return this.#results.write(ids, lang)
  }

  /**
   * A term without matches is read as a code in Bengali letters or without its hyphen, then as words with a weight or budget, then as other spellings. So an
   * exact match is never replaced.
   */
  async #match(term: string, limit: number): Promise<{ ids: number[]; filters: SearchFilter[] }> {
    const index = await this.index()
    const ids = index.search(term, limit)
    if (ids.length > 0) return { ids, filters: [] }
    const coded = codeForms(term)
      .map((code) => index.search(code, limit))
      .find((found) => found.length > 0)
    if (coded || latinCode(term) !== null) return { ids: coded ?? [], filters: [] }
    const { words, filters } = parseSearch(term)
    if (filters.length === 0) {
      const known = words === term ? [] : index.search(words, limit)
      return { ids: known.length > 0 ? known : index.searchSimilar(words, limit), filters }
    }
    return { ids: index.listTolerant(filteredQuery(words, filters, limit)), filters }
  }
}

function suggestion(row: ProductRow, lang: Lang): SuggestionJson {
  const product = productJson(row, lang)
  const picture = row.pictures[0]
  return {
    id: product.id,
    name: product.product_type,
    price: poishaToTaka(pricesOf(product).now),
    unit: product.unit,
    status: product.status,
    picture: picture ? pictureUrl(picture, 0) : null,
    tag_number: product.tag_number,
    weight_kg: product.weight_kg,
  }
}

function filteredQuery(words: string, filters: readonly SearchFilter[], limit: number): IndexQuery {
  const weight = filters.find(({ kind }) => kind === 'weight') ?? null
  const { from, to } = filters.find(({ kind }) => kind === 'price') ?? { from: null, to: null }
  const isForAnimal = weight !== null || (words === '' && Math.max(from ?? 0, to ?? 0) >= MIN_ANIMAL_BUDGET)
  return {
    categoryId: null,
    sort: null,
    low: Math.round((from ?? 0) * 100),
    high: Math.min(MAX_PRICE, Math.round((to ?? MAX_PRICE) * 100)),
    rank: null,
    words: searchWords(words),
    ...(isForAnimal ? { traits: weightFilter(weight) } : {}),
    from: 0,
    limit,
  }
}

/** Animals of a weight; without one, all that have been weighed. */
function weightFilter(weight: SearchFilter | null): TraitFilter {
  return { minGrams: Math.max(1, (weight?.from ?? 0) * 1000), maxGrams: (weight?.to ?? Infinity) * 1000 }
}
