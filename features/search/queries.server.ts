import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { ProductRow } from '../catalog/product-rows.server.ts'
import { listProductRowsInOrder } from '../catalog/queries.server.ts'
import { searchTerm } from './search-term.ts'
import type { ShopCache } from '../catalog/shop-cache.server.ts'

const SEARCH_LIMIT = 20

/** Products whose names, tag, breed or other spellings hold the words; an exact barcode or tag comes first. */
export async function findMatches({ db, facts }: { db: Db; facts: ShopCache }, term: string, limit: number): Promise<ProductRow[]> {
  return listProductRowsInOrder(db, (await facts.shelf()).search(term, limit))
}

/** At most 20 products for the search box, as the JSON of `SearchResultJson[]`; a term of fewer than two characters finds nothing. */
export async function searchProducts(facts: ShopCache, raw: string, lang: Lang): Promise<string> {
  const term = searchTerm(raw)
  const ids = term ? (await facts.shelf()).search(term, SEARCH_LIMIT) : []
  return ids.length === 0 ? '[]' : facts.searchRows().write(ids, lang)
}
