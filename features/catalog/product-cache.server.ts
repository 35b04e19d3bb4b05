import { BatchLoader } from '#lib/async/batch-loader.ts'
import { type Revision, RevisionGuard } from '#lib/async/revision-cache.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { SoldProductRow } from './product-rows.server.ts'
import { listSoldProductRows } from './queries.server.ts'

/** About 20 MB when full. */
const MAX_PRODUCTS = 20_000

/**
 * The product rows from which orders are priced, by id. Cleared with every revision of the catalog. The database rejects an order that
 * was priced from an older version of a row (`stale`), and the order is priced again.
 */
export class ProductCache {
  readonly #guard: RevisionGuard
  readonly #loader: BatchLoader<number, SoldProductRow>
  #rows = new Map<number, SoldProductRow>()

  constructor(db: Db, revision: Revision) {
    this.#guard = new RevisionGuard(revision, () => this.invalidate())
    this.#loader = new BatchLoader(async (ids) => new Map((await listSoldProductRows(db, ids)).map((row) => [row.id, row])))
  }

  /** Rows of these products. Hidden and deleted ones are missing from the map. */
  async find(ids: number[]): Promise<Map<number, SoldProductRow>> {
    this.#guard.check()
    const cached = this.#rows
    const rows = new Map(ids.flatMap((id) => (cached.has(id) ? [[id, cached.get(id)!] as const] : [])))
    const missing = ids.filter((id) => !rows.has(id))
    if (missing.length === 0) return rows
    const read = await this.#loader.loadMany(missing)
    if (cached.size + missing.length > MAX_PRODUCTS) cached.clear()
    for (const id of missing) {
      const row = read.get(id)
      if (!row) continue
      rows.set(id, row)
      cached.set(id, row)
    }
    return rows
  }

  /** Replaces the map: a concurrent read fills the old one. */
  invalidate(): void {
    this.#rows = new Map()
  }
}
