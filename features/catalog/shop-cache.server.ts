import { sql } from 'kysely'
import { BatchLoader } from '#lib/async/batch-loader.ts'
import type { Db } from '#lib/db/db.server.ts'
import { listSoldProductRows } from './queries.server.ts'
import type { SoldProductRow } from './product-rows.server.ts'
import { SearchResultCache } from '../search/search-result-cache.server.ts'
import { readSettings } from '../settings/settings.server.ts'
import type { ProductIndex } from '../search/product-index/product-index.ts'
import { ProductIndexLoader } from '../search/product-index/product-index-loader.server.ts'
import type { Settings } from '../settings/settings.ts'
import type { CategoryKey } from './category-keys.ts'
import type { DeliveryGroup } from './types.ts'

/** A category as the code needs it. */
export interface CategoryFacts {
  id: number
  key: CategoryKey | null
  slug: string
  name_en: string
  name_bn: string
  delivery_group: DeliveryGroup
  final_weighing_days: number | null
}

/** What delivery to an area costs a group: poisha, 'closed', or null where the product's own charge holds. */
export type AreaCharge = number | 'closed' | null
export interface AreaFacts {
  id: number
  name_en: string
  name_bn: string
  cattle: AreaCharge
  produce: AreaCharge
}

/** An area's names, whether it is served now or not. */
export type AreaNames = Pick<AreaFacts, 'id' | 'name_en' | 'name_bn'>

/** About twenty megabytes, in a shop that has so many. */
const MAX_PRODUCTS = 20_000

/**
 * The facts that orders and pages are computed from, kept in memory while the catalog's revision stands.
 * An order written from facts that are old by a moment is refused by the database (`stale`) and computed again.
 */
export class ShopCache {
  readonly #db: Db
  /** The revision now; null while changes cannot be heard of: then nothing is kept. */
  readonly #revision: () => number | null
  #knownRevision: number | null = null
  #settings: Promise<Settings> | null = null
  #categories: Promise<CategoryFacts[]> | null = null
  #areas: Promise<Map<number, AreaFacts>> | null = null
  #areaNames: Promise<AreaNames[]> | null = null
  #products = new Map<number, SoldProductRow>()
  readonly #productRows: BatchLoader<number, SoldProductRow>
  readonly #shelf: ProductIndexLoader
  readonly #searchRows: SearchResultCache

  constructor(db: Db, revision: () => number | null) {
    this.#db = db
    this.#revision = revision
    this.#shelf = new ProductIndexLoader(db, revision)
    this.#searchRows = new SearchResultCache(db)
    this.#productRows = new BatchLoader(async (ids) => new Map((await listSoldProductRows(db, ids)).map((row) => [row.id, row])))
  }

  /** Forgets everything: the next question asks the database. */
  forget(): void {
    this.#settings = this.#categories = this.#areas = this.#areaNames = null
    this.#products = new Map()
    this.#searchRows.forget()
  }

  #freshen(): void {
    const revision = this.#revision()
    if (revision === null || revision !== this.#knownRevision) {
      this.forget()
      this.#knownRevision = revision
    }
  }

  /** A failed read is not kept: the next question tries again. */
  #kept<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => this.forget())
    return promise
  }

  settings(): Promise<Settings> {
    this.#freshen()
    return (this.#settings ??= this.#kept(readSettings(this.#db)))
  }

  categories(): Promise<CategoryFacts[]> {
    this.#freshen()
    return (this.#categories ??= this.#kept(
      sql<CategoryFacts>`select id, key, slug, name_en, name_bn, delivery_group, final_weighing_days from categories order by priority, id`
        .execute(this.#db)
        .then((result) => result.rows),
    ))
  }

  /** Active areas by id. */
  areas(): Promise<Map<number, AreaFacts>> {
    this.#freshen()
    return (this.#areas ??= this.#kept(readAreas(this.#db)))
  }

  /** All areas in their order, also those that are not served now: orders were delivered there. */
  areaNames(): Promise<AreaNames[]> {
    this.#freshen()
    return (this.#areaNames ??= this.#kept(
      sql<AreaNames>`select id, name_en, name_bn from areas order by position, id`.execute(this.#db).then((result) => result.rows),
    ))
  }

  /** Rows of these products; those that are not there or not visible are missing from the answer. */
  async products(ids: number[]): Promise<Map<number, SoldProductRow>> {
    this.#freshen()
    const known = this.#products
    const rows = new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : [])))
    const missing = ids.filter((id) => !rows.has(id))
    if (missing.length === 0) return rows
    const read = await this.#productRows.loadMany(missing)
    if (known.size + missing.length > MAX_PRODUCTS) known.clear()
    for (const id of missing) {
      const row = read.get(id)
      if (!row) continue
      rows.set(id, row)
      known.set(id, row)
    }
    return rows
  }

  /** Everything that is shown, in the orders of the lists and with the words of the search, as it is now. */
  shelf(): Promise<ProductIndex> {
    return this.#shelf.current()
  }

  searchRows(): SearchResultCache {
    this.#freshen()
    return this.#searchRows
  }
}

async function readAreas(db: Db): Promise<Map<number, AreaFacts>> {
  const { rows } = await sql<
    Omit<AreaFacts, 'cattle' | 'produce'> & { charges: { group: DeliveryGroup; open: boolean; poisha: number | null }[] }
  >`
    select a.id, a.name_en, a.name_bn, coalesce((select json_agg(json_build_object('group', g.delivery_group, 'open', g.is_open, 'poisha', g.charge_poisha))
      from area_charges g where g.area_id = a.id), '[]') as charges
    from areas a where a.active`.execute(db)
  return new Map(
    rows.map(({ charges, ...area }) => {
      const charge = (group: DeliveryGroup): AreaCharge => {
        const found = charges.find((c) => c.group === group)
        if (!found) return null
        return found.open ? found.poisha : 'closed'
      }
      return [area.id, { ...area, cattle: charge('cattle'), produce: charge('produce') }]
    }),
  )
}
