import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import type { Lang } from '#lib/lang.ts'
import { productColumns, productJson, type ProductRow } from './product-rows.server.ts'
import { likePattern, searchTerm } from './search-term.ts'
import type { ProductJson, ProductStatus, Unit } from './types.ts'

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
  const words = term.split(' ').filter(Boolean).slice(0, 6)
  const all = sql.join(words.map((word) => sql`p.search_text like ${likePattern(word)}`), sql` and `)
  const { rows } = await sql<ProductRow>`
    with exact as (select p.id from products p where p.visible and (p.barcode = ${term} or p.tag_number = ${term.toUpperCase()}) limit ${limit}),
      alike as (select p.id from products p where p.visible and ${all} order by p.shelf_rank, p.id limit ${limit}),
      found as (select id, 0 as rank from exact union all select id, 1 from alike where id not in (select id from exact))
    select ${productColumns} from found join products p on p.id = found.id join categories c on c.id = p.category_id
    order by found.rank, p.shelf_rank, p.id limit ${limit}`.execute(db)
  return rows
}

/** At most 20 products for the search box; a term of fewer than two characters finds nothing. */
export async function searchProducts(db: Db, raw: string, lang: Lang): Promise<SearchResultJson[]> {
  const term = searchTerm(raw)
  if (!term) return []
  return (await findMatches(db, term, SEARCH_LIMIT)).map((row) => resultJson(row, productJson(row, lang)))
}

function resultJson(row: ProductRow, product: ProductJson): SearchResultJson {
  const orderable = row.status === 'in-stock' || row.status === 'pre-book'
  const left = row.stock_milli === null ? UNCOUNTED : row.stock_milli / 1000
  return {
    id: product.id,
    name: product.product_type,
    product_type: product.product_type,
    price: product.price,
    unit: product.unit,
    status: product.status,
    images: product.images,
    maxOrderQty: orderable ? left : 0,
    shipping_cost: product.shipping_cost,
    barcode: product.barcode,
    tag_number: product.tag_number,
  }
}
