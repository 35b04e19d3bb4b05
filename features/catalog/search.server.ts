import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import type { Lang } from '#lib/lang.ts'
import { productColumns, type ProductRow } from './product-rows.server.ts'
import { likePattern, searchTerm } from './search-term.ts'
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
const MOST_WORDS = 6

const patternsOf = (term: string) => term.split(' ').filter(Boolean).slice(0, MOST_WORDS).map(likePattern)

/** Products whose names, tag, breed or other spellings hold the words; an exact barcode or tag comes first. */
export async function findMatches(db: Db, term: string, limit: number): Promise<ProductRow[]> {
  const ids = await findIds(db, term, limit)
  const { rows } = await sql<ProductRow>`/*kept search_rows*/
    select ${productColumns} from products p join categories c on c.id = p.category_id
    where ${found(ids, term)} order by ${bestFirst(term)} limit ${limit}`.execute(db)
  return rows
}

/**
 * The words alone, in shelf order. Planned anew for each term: a common word is soon met along the shelf, a rare one is
 * looked up in the index of letters.
 */
async function findIds(db: Db, term: string, limit: number): Promise<number[]> {
  const all = sql.join(
    patternsOf(term).map((pattern) => sql`search_text like ${pattern}`),
    sql` and `,
  )
  const { rows } = await sql<{
    id: number
  }>`select id from products where visible and ${all} order by shelf_rank, id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

const found = (ids: number[], term: string) =>
  sql`p.visible and (p.id = any(${ids}::bigint[]) or p.barcode = ${term} or p.tag_number = ${term.toUpperCase()})`

const bestFirst = (term: string) =>
  sql`coalesce(p.barcode = ${term}, false) or coalesce(p.tag_number = ${term.toUpperCase()}, false) desc, p.shelf_rank, p.id`

/**
 * At most 20 products for the search box, as the JSON of `SearchResultJson[]` that the database made; a term of fewer than
 * two characters finds nothing.
 */
export async function searchProducts(db: Db, raw: string, lang: Lang): Promise<string> {
  const term = searchTerm(raw)
  if (!term) return '[]'
  const { rows } = await sql<{ answer: string | null }>`/*kept search_answer*/
    select search_answer(${patternsOf(term)}::text[], ${term}, ${lang}, ${SEARCH_LIMIT}::int) as answer`.execute(db)
  return rows[0]?.answer ?? '[]'
}
