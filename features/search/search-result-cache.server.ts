import { sql } from 'kysely'
import { BatchLoader } from '#lib/async/batch-loader.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { pictureUrl } from '../catalog/product-rows.server.ts'
import type { Picture, ProductStatus, SearchResultJson, Unit } from '../catalog/types.ts'

interface Read {
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

/** A product as JSON in pieces: the name in either language, and what can be ordered now between the other two. */
interface SerializedResult {
  id: string
  name: Record<Lang, string>
  before: string
  after: string
  limit: 'counted' | 'none' | 'not now'
}

/** What is not counted never runs out; the till wants a number all the same. */
const ENDLESS = 9999
/** About sixty megabytes, in a shop that has so many and where they have been found. */
const MAX_KEPT = 120_000
const PICTURE_WIDTH = 800

/** Rows of the search box as text, kept until they are forgotten; what is left of counted goods is always read. */
export class SearchResultCache {
  readonly #rows: BatchLoader<number, SerializedResult>
  readonly #left: BatchLoader<number, number | null>
  #kept = new Map<number, SerializedResult>()

  constructor(db: Db) {
    this.#rows = new BatchLoader((ids) => readRows(db, ids))
    this.#left = new BatchLoader((ids) => readLeft(db, ids))
  }

  invalidate(): void {
    if (this.#kept.size > 0) this.#kept = new Map()
  }

  /** The JSON of a `SearchResultJson[]` of these products in this order, without those that are not shown any more. */
  async write(ids: readonly number[], lang: Lang): Promise<string> {
    const kept = this.#kept
    const missing = ids.filter((id) => !kept.has(id))
    if (missing.length > 0) await this.#read(missing, kept)
    const counted = ids.filter((id) => kept.get(id)?.limit === 'counted')
    const left = counted.length > 0 ? await this.#left.findAll(counted) : null
    // Joined at once: a text put together of two, and of two again, is a tree that has to be cleared away afterwards.
    const pieces: string[] = []
    for (const id of ids) {
      const row = kept.get(id)
      if (!row) continue
      const name = row.name[lang]
      pieces.push(pieces.length === 0 ? '[{"id":' : '},{"id":', row.id, ',"name":', name, ',"product_type":', name)
      pieces.push(row.before, String(mostOf(row, left?.get(id))), row.after)
    }
    if (pieces.length === 0) return '[]'
    pieces.push('}]')
    return pieces.join('')
  }

  async #read(ids: number[], into: Map<number, SerializedResult>): Promise<void> {
    const rows = await this.#rows.findAll(ids)
    // Whoever is writing from it still holds its rows: it is left, not emptied.
    if (into.size + ids.length > MAX_KEPT && into === this.#kept) this.#kept = new Map()
    for (const id of ids) {
      const row = rows.get(id)
      if (row) into.set(id, row)
    }
  }
}

/** What is left in thousandths, null of what is not counted. */
async function readLeft(db: Db, ids: number[]): Promise<Map<number, number | null>> {
  const { rows } = await sql<{ id: number; stock_milli: number | null }>`/*kept search_stock*/
    select id, stock_milli from products where id = any(${`{${ids.join()}}`}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.stock_milli]))
}

async function readRows(db: Db, ids: number[]): Promise<Map<number, SerializedResult>> {
  const { rows } = await sql<Read>`/*kept search_rows*/
    select p.id, p.name_en, p.name_bn, p.price_poisha, p.unit, p.status, p.shipping_poisha, p.stock_milli is not null as is_counted, p.barcode, p.tag_number,
      (select json_agg(json_build_object('token', i.token, 'widths', i.widths) order by m.position)
        from product_media m join images i on i.id = m.image_id where m.product_id = p.id) as pictures
    from products p where p.visible and p.id = any(${`{${ids.join()}}`}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, written(row)]))
}

/** What can be ordered of it now, `left` (thousandths) being read of what is counted; one that is gone has none. */
function mostOf(row: SerializedResult, left: number | null | undefined): number {
  if (row.limit === 'counted') return left === null ? ENDLESS : (left ?? 0) / 1000
  return row.limit === 'none' ? ENDLESS : 0
}

function written(row: Read): SerializedResult {
  const part = (fields: Partial<SearchResultJson>) => JSON.stringify(fields).slice(1, -1)
  const canBeOrdered = row.status === 'in-stock' || row.status === 'pre-book'
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
    limit: !canBeOrdered ? 'not now' : row.is_counted ? 'counted' : 'none',
  }
}
