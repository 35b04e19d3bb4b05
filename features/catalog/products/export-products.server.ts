import { sql } from 'kysely'
import type { CsvCell } from '#lib/csv/csv.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { CSV_COLUMNS, toCell } from './csv-columns.ts'
import type { ProductFilter } from './list-query-rules.ts'
import { productConditions } from './product-list.server.ts'
import { listProductRecords, type ProductDetails } from './product-editor-queries.server.ts'

const BATCH = 500

/** The products that the filters let through as lines of a file that can be read in again, by number, a batch at a time. */
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
  const { rows } = await sql<{
    id: number
    name: string
  }>`select id, ${lang === 'bn' ? sql`name_bn` : sql`name_en`} as name from categories`.execute(db)
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** One product in the order of the columns. */
export function exportLine(product: ProductDetails, categories: Map<number, string>, lang: Lang): CsvCell[] {
  const { around } = product
  const beside: Record<string, unknown> = {
    category: categories.get(product.category_id) ?? '',
    further_categories: product.further_category_ids.map((id) => categories.get(id) ?? '').join('; '),
    stock: around.stock,
    weight_kg: around.weight_kg,
    weighed_on: around.weighed_on,
  }
  return CSV_COLUMNS.map(({ key, choices }): CsvCell => {
    const value = key in beside ? beside[key] : product[key as keyof ProductDetails]
    if (value === null || value === undefined || value === '') return null
    if (typeof value === 'number') return value
    const word = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
    if (!choices) return toCell(word)
    return word in choices ? toCell(choices[word]![lang]) : null
  })
}
