import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import type { Lang } from '#lib/lang.ts'
import { productColumns, type ProductRow } from './product-rows.server.ts'
import { searchTerm, wordsOf } from './search-term.ts'
import type { ShopFacts } from './shop-facts.server.ts'
import type { ProductStatus, Unit } from './types.ts'

/** A row of the search box and the till [C2]. */
export interface SearchResultJson {
  id: number
  name: string
  product_type: string
  price: number
  unit: Unit
  status: ProductStatus
  images: { url: string }[]
  maxOrderQty: number
  shipping_cost: number
  barcode: string | null
  tag_number: string | null
}

export const SEARCH_LIMIT = 20

/** What is searched in; see `ShopFacts.shelf`. */
interface Searched {
  db: Db
  facts: Pick<ShopFacts, 'shelf'>
}

/** Products whose names, tag, breed or other spellings hold the words; an exact barcode or tag comes first. */
export async function findMatches({ db, facts }: Searched, term: string, limit: number): Promise<ProductRow[]> {
  const ids = (await facts.shelf()).search(wordsOf(term), limit)
  if (ids.length === 0) return []
  const { rows } = await sql<ProductRow>`/*kept search_rows*/
    select ${productColumns} from products p join categories c on c.id = p.category_id
    where p.visible and (p.id = any(${ids}::bigint[]) or p.barcode = ${term} or p.tag_number = ${term.toUpperCase()})
    order by coalesce(p.barcode = ${term}, false) or coalesce(p.tag_number = ${term.toUpperCase()}, false) desc, p.shelf_rank, p.id
    limit ${limit}`.execute(db)
  return rows
}

/**
 * At most 20 products for the search box, as the JSON of `SearchResultJson[]` that the database made; a term of fewer than
 * two characters finds nothing.
 */
export async function searchProducts({ db, facts }: Searched, raw: string, lang: Lang): Promise<string> {
  const term = searchTerm(raw)
  // Barcodes and tags are words of the shelf too: what it does not find is not there.
  const ids = term ? (await facts.shelf()).search(wordsOf(term), SEARCH_LIMIT) : []
  if (ids.length === 0) return '[]'
  const { rows } = await sql<{ answer: string | null }>`/*kept search_answer*/
    select search_rows(${ids}::bigint[], ${term}, ${lang}, ${SEARCH_LIMIT}::int) as answer`.execute(db)
  return rows[0]?.answer ?? '[]'
}
