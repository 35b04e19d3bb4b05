import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import type { Lang } from '#lib/lang.ts'
import { pictureUrl, productColumns, type ProductRow } from './product-rows.server.ts'
import { likePattern, searchTerm } from './search-term.ts'
import type { Picture, ProductStatus, Unit } from './types.ts'

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
/** An uncounted product never runs out; the till wants a number all the same. */
const UNCOUNTED = 9999

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
  const words = term.split(' ').filter(Boolean).slice(0, 6)
  const all = sql.join(words.map((word) => sql`search_text like ${likePattern(word)}`), sql` and `)
  const { rows } = await sql<{ id: number }>`select id from products where visible and ${all} order by shelf_rank, id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

const found = (ids: number[], term: string) =>
  sql`p.visible and (p.id = any(${ids}::bigint[]) or p.barcode = ${term} or p.tag_number = ${term.toUpperCase()})`

const bestFirst = (term: string) =>
  sql`coalesce(p.barcode = ${term}, false) or coalesce(p.tag_number = ${term.toUpperCase()}, false) desc, p.shelf_rank, p.id`

/** At most 20 products for the search box; a term of fewer than two characters finds nothing. */
export async function searchProducts(db: Db, raw: string, lang: Lang): Promise<SearchResultJson[]> {
  const term = searchTerm(raw)
  if (!term) return []
  const ids = await findIds(db, term, SEARCH_LIMIT)
  const { rows } = await sql<ResultRow>`/*kept search_results*/
    select p.id, p.name_en, p.name_bn, p.price_poisha, p.unit, p.status, p.shipping_poisha, p.stock_milli, p.barcode, p.tag_number,
      (select json_agg(json_build_object('token', i.token, 'widths', i.widths) order by m.position)
         from product_media m join images i on i.id = m.image_id where m.product_id = p.id) as pictures
    from products p where ${found(ids, term)} order by ${bestFirst(term)} limit ${SEARCH_LIMIT}`.execute(db)
  return rows.map((row) => resultJson(row, lang))
}

type ResultRow = Pick<
  ProductRow,
  'id' | 'name_en' | 'name_bn' | 'price_poisha' | 'unit' | 'status' | 'shipping_poisha' | 'stock_milli' | 'barcode' | 'tag_number'
> & { pictures: Pick<Picture, 'token' | 'widths'>[] | null }

function resultJson(row: ResultRow, lang: Lang): SearchResultJson {
  const orderable = row.status === 'in-stock' || row.status === 'pre-book'
  const left = row.stock_milli === null ? UNCOUNTED : row.stock_milli / 1000
  const name = lang === 'bn' ? row.name_bn : row.name_en
  return {
    id: row.id,
    name,
    product_type: name,
    price: row.price_poisha / 100,
    unit: row.unit,
    status: row.status,
    images: (row.pictures ?? []).map((picture) => ({ url: pictureUrl(picture, 800) })),
    maxOrderQty: orderable ? left : 0,
    shipping_cost: row.shipping_poisha / 100,
    barcode: row.barcode,
    tag_number: row.tag_number,
  }
}
