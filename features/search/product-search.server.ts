import type { ProductRow } from '#features/catalog/product-rows.server.ts'
import { listProductRowsInOrder } from '#features/catalog/queries.server.ts'
import { type Revision, RevisionGuard } from '#lib/async/revision-cache.ts'
import type { Db } from '#lib/db/db.server.ts'
import { latinCode } from '#lib/format/latin-code.ts'
import { searchTerm } from '#lib/format/search-term.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { ProductIndex } from './product-index/product-index.ts'
import { ProductIndexLoader } from './product-index/product-index-loader.server.ts'
import { SearchResultCache } from './search-result-cache.server.ts'

const MAX_RESULTS = 20

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
    return listProductRowsInOrder(this.#db, await this.#matchingIds(term, limit))
  }

  /** At most 20 products for the search box, as the JSON of `SearchResultJson[]`. A term of fewer than two characters has no results. */
  async search(raw: string, lang: Lang): Promise<string> {
    const term = searchTerm(raw)
    const ids = term ? await this.#matchingIds(term, MAX_RESULTS) : []
    if (ids.length === 0) return '[]'
    this.#guard.check()
    return this.#results.write(ids, lang)
  }

  /** A term without matches that is a code in Bengali letters is searched in Latin letters. */
  async #matchingIds(term: string, limit: number): Promise<number[]> {
    const index = await this.index()
    const ids = index.search(term, limit)
    const code = ids.length === 0 ? latinCode(term) : null
    return code === null ? ids : index.search(code, limit)
  }
}
