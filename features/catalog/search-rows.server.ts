import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import type { Lang } from '#lib/lang.ts'
import { pictureUrl } from './product-rows.server.ts'
import type { Picture, ProductStatus, SearchResultJson, Unit } from './types.ts'

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
interface Written {
  name: Record<Lang, string>
  before: string
  after: string
  limit: 'counted' | 'none' | 'not now'
}

/** What is not counted never runs out; the till wants a number all the same. */
const ENDLESS = 9999
/** About twenty megabytes, in a shop that has so many. */
const MOST_KEPT = 40_000
const PICTURE_WIDTH = 800

/** Rows of the search box as text, kept until they are forgotten; what is left of counted goods is always read. */
export class SearchRows {
  readonly #db: Db
  #kept = new Map<number, Written>()

  constructor(db: Db) {
    this.#db = db
  }

  forget(): void {
    if (this.#kept.size > 0) this.#kept = new Map()
  }

  /** The JSON of a `SearchResultJson[]` of these products in this order, without those that are not shown any more. */
  async write(ids: readonly number[], lang: Lang): Promise<string> {
    const rows = await this.#read(ids)
    const left = await this.#leftOf([...rows].filter(([, row]) => row.limit === 'counted').map(([id]) => id))
    const texts = Array.from(rows, ([id, { name, before, after, limit }]) => {
      const most = limit === 'none' ? ENDLESS : limit === 'counted' ? (left.get(id) ?? 0) / 1000 : 0
      return `{"id":${id},"name":${name[lang]},"product_type":${name[lang]},${before},"maxOrderQty":${most},${after}}`
    })
    return `[${texts.join(',')}]`
  }

  async #read(ids: readonly number[]): Promise<Map<number, Written>> {
    const kept = this.#kept
    const missing = ids.filter((id) => !kept.has(id))
    if (kept.size + missing.length > MOST_KEPT) kept.clear()
    const fresh = new Map(missing.length > 0 ? (await readRows(this.#db, missing)).map((row) => [row.id, written(row)] as const) : [])
    for (const [id, row] of fresh) kept.set(id, row)
    return new Map(
      ids.flatMap((id) => [[id, fresh.get(id) ?? kept.get(id)] as const].filter((pair): pair is [number, Written] => !!pair[1])),
    )
  }

  async #leftOf(ids: number[]): Promise<Map<number, number>> {
    if (ids.length === 0) return new Map()
    const { rows } = await sql<{ id: number; stock_milli: number | null }>`/*kept search_stock*/
      select id, stock_milli from products where id = any(${ids}::bigint[])`.execute(this.#db)
    return new Map(rows.map((row) => [row.id, row.stock_milli ?? ENDLESS * 1000]))
  }
}

async function readRows(db: Db, ids: number[]): Promise<Read[]> {
  const { rows } = await sql<Read>`/*kept search_rows*/
    select p.id, p.name_en, p.name_bn, p.price_poisha, p.unit, p.status, p.shipping_poisha, p.stock_milli is not null as is_counted, p.barcode, p.tag_number,
      (select json_agg(json_build_object('token', i.token, 'widths', i.widths) order by m.position)
        from product_media m join images i on i.id = m.image_id where m.product_id = p.id) as pictures
    from products p where p.visible and p.id = any(${ids}::bigint[])`.execute(db)
  return rows
}

function written(row: Read): Written {
  const part = (fields: Partial<SearchResultJson>) => JSON.stringify(fields).slice(1, -1)
  const canBeOrdered = row.status === 'in-stock' || row.status === 'pre-book'
  return {
    name: { en: JSON.stringify(row.name_en), bn: JSON.stringify(row.name_bn) },
    before: part({
      price: row.price_poisha / 100,
      unit: row.unit,
      status: row.status,
      images: (row.pictures ?? []).map((picture) => ({ url: pictureUrl(picture, PICTURE_WIDTH) })),
    }),
    after: part({ shipping_cost: row.shipping_poisha / 100, barcode: row.barcode, tag_number: row.tag_number }),
    limit: !canBeOrdered ? 'not now' : row.is_counted ? 'counted' : 'none',
  }
}
