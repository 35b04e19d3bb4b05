import { type RawBuilder, sql } from 'kysely'
import { codeForms } from '#lib/format/latin-code.ts'
import { likePattern, searchWords } from '#lib/format/search-term.ts'
import { isLowStock } from '#features/catalog/low-stock.server.ts'
import type { Picture, ProductStatus, Unit } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type KeysetCursor, type KeysetPage, keysetPage, MAX_COUNTED } from '#lib/db/keyset.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type ProductFilter, UNSOLD } from './list-query-rules.ts'

/** A row of the admin's list; money in taka. */
export interface ProductListRow {
  id: number
  name_en: string
  name_bn: string
  tag_number: string | null
  barcode: string | null
  category: string
  status: ProductStatus
  price: number
  unit: Unit
  is_unique: boolean
  stock: number | null
  weight_kg: number | null
  visible: boolean
  is_archived: boolean
  picture: Pick<Picture, 'token' | 'widths' | 'placeholder'> | null
}

export interface ProductList extends KeysetPage<ProductListRow> {
  /** The number of matching products, counted up to `MAX_COUNTED`. */
  count: number
}

export const PRODUCTS_PAGE = 25

/** One page of the products that match all filters, with their number. `low` is the limit of low stock in units. */
export async function listAdminProducts(
  db: Db,
  filter: ProductFilter,
  cursor: KeysetCursor,
  low: number,
  lang: Lang,
): Promise<ProductList> {
  const where = sql.join(await productConditions(db, filter, low), sql` and `)
  const [rows, count] = await Promise.all([readPage(db, filter, where, cursor, lang), countProducts(db, where)])
  return { ...keysetPage(rows, cursor, PRODUCTS_PAGE, (row) => [row.id]), count }
}

/** The sort column before the id; null sorts by id only. */
function sortColumn(filter: ProductFilter, lang: Lang): RawBuilder<unknown> | null {
  if (filter.sort === 'price') return sql`price_poisha`
  return filter.sort === 'name' ? columnIn(lang, 'name') : null
}

/** Finds the ids of the page in an index, and reads the columns of those products only. */
async function readPage(
  db: Db,
  filter: ProductFilter,
  where: RawBuilder<unknown>,
  cursor: KeysetCursor,
  lang: Lang,
): Promise<ProductListRow[]> {
  const isUp = (filter.order === 'asc') !== cursor.backward
  const direction = isUp ? sql`asc` : sql`desc`
  const column = sortColumn(filter, lang)
  const key = column ? sql`p.${column}, p.id` : sql`p.id`
  const from = Number(cursor.from?.[0])
  // The cursor has the id only: names can be long and contain any character.
  const pastCursor = Number.isSafeInteger(from)
    ? sql` and (${key}) ${isUp ? sql`>` : sql`<`} (select ${column ? sql`k.${column}, k.id` : sql`k.id`} from products k where k.id = ${from})`
    : sql``
  const order = (of: string) =>
    column ? sql`${sql.raw(of)}.${column} ${direction}, ${sql.raw(of)}.id ${direction}` : sql`${sql.raw(of)}.id ${direction}`
  const { rows } = await sql<ProductListRow>`
    select p.id, p.name_en, p.name_bn, p.tag_number, p.barcode, ${columnIn(lang, 'c.name')} as category, p.status,
      p.price_poisha::float8 / 100 as price, p.unit, p.is_unique, p.stock_milli::float8 / 1000 as stock, p.weight_grams::float8 / 1000 as weight_kg,
      p.visible, p.archived_at is not null as is_archived,
      (select json_build_object('token', i.token, 'widths', i.widths, 'placeholder', i.placeholder)
        from product_media m join images i on i.id = m.image_id where m.product_id = p.id order by m.position limit 1) as picture
    from (select p.id from products p where ${where}${pastCursor} order by ${order('p')} limit ${PRODUCTS_PAGE + 1}) found
    join products p on p.id = found.id join categories c on c.id = p.category_id order by ${order('p')}`.execute(db)
  return rows
}

async function countProducts(db: Db, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (select 1 from products p where ${where} limit ${MAX_COUNTED + 1}) p`.execute(db)
  return rows[0]?.count ?? 0
}

/** The filters as conditions on `p`. */
export async function productConditions(db: Db, filter: ProductFilter, low: number): Promise<RawBuilder<unknown>[]> {
  const { search, categoryId, status, kind } = filter
  return [
    ...visibilityConditions(filter),
    ...(search === null ? [] : [searchCondition(search)]),
    ...(categoryId === null ? [] : [await categoryCondition(db, categoryId)]),
    ...(status === null ? [] : [status === UNSOLD ? sql`p.status <> 'sold'` : sql`p.status = ${status}`]),
    ...(kind === null ? [] : [kind === 'animal' ? sql`p.is_unique` : sql`not p.is_unique`]),
    ...(filter.isLow ? [isLowStock(low)] : []),
  ]
}

function visibilityConditions({ visibility }: ProductFilter): RawBuilder<unknown>[] {
  switch (visibility) {
    case 'shop':
      return [sql`p.visible`]
    case 'hidden':
      return [sql`not p.visible`, sql`p.archived_at is null`]
    case 'archived':
      return [sql`not p.visible`, sql`p.archived_at is not null`]
    case 'all':
      return [sql`true`]
    case null:
      return [sql`p.archived_at is null`]
  }
}

/**
 * The words of a term, or the tag that it stands for, as the search of the shop reads them. Two partial trigram indexes exist, for visible and for
 * hidden products; each branch uses one.
 */
function searchCondition(term: string): RawBuilder<unknown> {
  const branches = [term, ...codeForms(term)].flatMap((text) => {
    const words = sql.join(
      searchWords(text).map((word) => sql`p.search_text like ${likePattern(word)}`),
      sql` and `,
    )
    return [sql`(p.visible and ${words})`, sql`(not p.visible and ${words})`]
  })
  return sql`(${sql.join(branches, sql` or `)})`
}

/** The own category of a product, or one of its further categories. */
async function categoryCondition(db: Db, categoryId: number): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ ids: number[] | null }>`select array_agg(product_id) as ids
    from (select product_id from product_categories where category_id = ${categoryId} limit 20000) c`.execute(db)
  const further = rows[0]?.ids ?? []
  return further.length === 0
    ? sql`p.category_id = ${categoryId}`
    : sql`(p.category_id = ${categoryId} or p.id = any(${further}::bigint[]))`
}
