import { sql } from 'kysely'
import { BatchLoader } from '#lib/async/batch-loader.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { pictureUrl } from '../catalog/product-rows.server.ts'
import { isOrderable } from '../catalog/rules.ts'
import { type Picture, type ProductStatus, type SearchResultJson, UNCOUNTED_ORDER_QTY, type Unit } from '../catalog/types.ts'

interface ResultRow {
  id: number
  name_en: string
  name_bn: string
  price_poisha: number
  unit: Unit
  status: ProductStatus
  shipping_poisha: number
  is_counted: boolean
  barcode: string | null
  tag_number: string | null
  pictures: Pick<Picture, 'token' | 'widths'>[] | null
}

/** A result as JSON in pieces: the name in both languages, and the text before and after the order limit. */
interface SerializedResult {
  id: string
  name: Record<Lang, string>
  before: string
  after: string
  limit: 'counted' | 'none' | 'not now'
}

/** About sixty megabytes. */
const MAX_CACHED = 120_000
const PICTURE_WIDTH = 800

/** Serialized results of the search box, cached until `invalidate`. The stock of counted products is read for each search. */
export class SearchResultCache {
  readonly #rows: BatchLoader<number, SerializedResult>
  readonly #left: BatchLoader<number, number | null>
  #cached = new Map<number, SerializedResult>()

  constructor(db: Db) {
    this.#rows = new BatchLoader((ids) => readRows(db, ids))
    this.#left = new BatchLoader((ids) => readLeft(db, ids))
  }

  invalidate(): void {
    if (this.#cached.size > 0) this.#cached = new Map()
  }

  /** The JSON of a `SearchResultJson[]` in this order, without products that are hidden by now. */
  async write(ids: readonly number[], lang: Lang): Promise<string> {
    const cached = this.#cached
    const missing = ids.filter((id) => !cached.has(id))
    if (missing.length > 0) await this.#read(missing, cached)
    const counted = ids.filter((id) => cached.get(id)?.limit === 'counted')
    const left = counted.length > 0 ? await this.#left.loadMany(counted) : null
    // One join: repeated concatenation builds a rope that V8 has to flatten.
    const pieces: string[] = []
    for (const id of ids) {
      const row = cached.get(id)
      if (!row) continue
      const name = row.name[lang]
      pieces.push(pieces.length === 0 ? '[{"id":' : '},{"id":', row.id, ',"name":', name, ',"product_type":', name)
      pieces.push(row.before, String(orderLimit(row, left?.get(id))), row.after)
    }
    if (pieces.length === 0) return '[]'
    pieces.push('}]')
    return pieces.join('')
  }

  async #read(ids: number[], into: Map<number, SerializedResult>): Promise<void> {
    const rows = await this.#rows.loadMany(ids)
    // Replaced, not cleared: a concurrent `write` still reads the old map.
    if (into.size + ids.length > MAX_CACHED && into === this.#cached) this.#cached = new Map()
    for (const id of ids) {
      const row = rows.get(id)
      if (row) into.set(id, row)
    }
  }
}

/** Stock in thousandths; null when not counted. */
async function readLeft(db: Db, ids: number[]): Promise<Map<number, number | null>> {
  const { rows } = await sql<{ id: number; stock_milli: number | null }>`/*prepared search_stock*/
    select id, stock_milli from products where id = any(${`{${ids.join()}}`}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.stock_milli]))
}

async function readRows(db: Db, ids: number[]): Promise<Map<number, SerializedResult>> {
  const { rows } = await sql<ResultRow>`/*prepared search_rows*/
    select p.id, p.name_en, p.name_bn, p.price_poisha, p.unit, p.status, p.shipping_poisha, p.stock_milli is not null as is_counted, p.barcode, p.tag_number,
      (select json_agg(json_build_object('token', i.token, 'widths', i.widths) order by m.position)
        from product_media m join images i on i.id = m.image_id where m.product_id = p.id) as pictures
    from products p where p.visible and p.id = any(${`{${ids.join()}}`}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, serialize(row)]))
}

/** The order limit in units. `left`: the current stock in thousandths, for counted products. Zero when it cannot be ordered. */
function orderLimit(row: SerializedResult, left: number | null | undefined): number {
  if (row.limit === 'counted') return left === null ? UNCOUNTED_ORDER_QTY : (left ?? 0) / 1000
  return row.limit === 'none' ? UNCOUNTED_ORDER_QTY : 0
}

function serialize(row: ResultRow): SerializedResult {
  const part = (fields: Partial<SearchResultJson>) => JSON.stringify(fields).slice(1, -1)
  return {
    id: String(row.id),
    name: { en: JSON.stringify(row.name_en), bn: JSON.stringify(row.name_bn) },
    before: `,${part({
      price: row.price_poisha / 100,
      unit: row.unit,
      status: row.status,
      images: (row.pictures ?? []).map((picture) => ({ url: pictureUrl(picture, PICTURE_WIDTH) })),
    })},"maxOrderQty":`,
    after: `,${part({ shipping_cost: row.shipping_poisha / 100, barcode: row.barcode, tag_number: row.tag_number })}`,
    limit: !isOrderable(row.status) ? 'not now' : row.is_counted ? 'counted' : 'none',
  }
}
