import { sql } from 'kysely'
import type { CsvCell } from '#lib/csv/csv.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { CSV_COLUMNS, isSameWord, toCell } from './csv-columns.ts'
import type { ProductFilter } from './list-query-rules.ts'
import { productConditions } from './product-list.server.ts'
import { listProductRecords, type ProductDetails } from './product-editor-queries.server.ts'

const BATCH = 500

/** The products that match the filters as lines of an importable file, by id, in batches. */
export async function* exportProducts(db: Db, filter: ProductFilter, low: number, lang: Lang): AsyncGenerator<CsvCell[][]> {
  const categories = await categoryNames(db, lang)
  const conditions = await productConditions(db, filter, low)
  let after = 0
  for (;;) {
    const batch = await sql<{ id: number }>`select p.id from products p where ${sql.join([...conditions, sql`p.id > ${after}`], sql` and `)}
      order by p.id limit ${BATCH}`.execute(db)
    const ids = batch.rows.map((row) => row.id)
    if (ids.length === 0) return
    const products = await listProductRecords(db, sql`p.id = any(${ids}::bigint[])`)
    yield products.map((product) => exportLine(product, categories, lang))
    after = ids.at(-1) as number
  }
}

/** The headings of the file in the reader's language. */
export function exportHead(lang: Lang): string[] {
  return CSV_COLUMNS.map((column) => column[lang])
}

async function categoryNames(db: Db, lang: Lang): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('categories')
    .select(['id', columnIn(lang, 'name').as('name')])
    .execute()
  return new Map(rows.map((row) => [row.id, row.name]))
}

/**
 * A category in a list, by its name. Imports read its number too, which is written for a name that has a semicolon, because they separate the
 * list, and for one that other categories have in this language.
 */
function listedName(id: number, categories: Map<number, string>): string {
  const name = categories.get(id) ?? ''
  const isUnclear = name.includes(';') || [...categories].some(([other, text]) => other !== id && isSameWord(text, name))
  return isUnclear ? String(id) : name
}

/** The cells of one product in the order of the columns. */
export function exportLine(product: ProductDetails, categories: Map<number, string>, lang: Lang): CsvCell[] {
  const { state } = product
  const derived: Record<string, unknown> = {
    category: categories.get(product.category_id) ?? '',
    further_categories: product.further_category_ids.map((id) => listedName(id, categories)).join('; '),
    stock: state.stock,
    weight_kg: state.weight_kg,
    weighed_on: state.weighed_on,
  }
  return CSV_COLUMNS.map(({ key, choices }): CsvCell => {
    const value = key in derived ? derived[key] : product[key as keyof ProductDetails]
    if (value === null || value === undefined || value === '') return null
    if (typeof value === 'number') return value
    const word = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
    if (!choices) return toCell(word)
    return word in choices ? toCell(choices[word]![lang]) : null
  })
}
