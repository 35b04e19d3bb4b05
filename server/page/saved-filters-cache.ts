import { LRUCache } from 'lru-cache'
import { listSavedFilters, type SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { CatalogRevision } from '../cache/catalog-revision.ts'

const MAX_LISTS = 1000

/** Caches the saved filters of a user and screen under the catalog's revision: every list page shows them, and they change rarely. */
export class SavedFiltersCache {
  readonly #db: Db
  readonly #revision: CatalogRevision
  readonly #lists = new LRUCache<string, SavedFilter[]>({ max: MAX_LISTS })

  constructor(db: Db, revision: CatalogRevision) {
    this.#db = db
    this.#revision = revision
    revision.onAdvance(() => this.#lists.clear())
  }

  async get(userId: number, screen: string): Promise<SavedFilter[]> {
    const { ifSubscribed: startedAt } = this.#revision
    const key = `${userId} ${screen}`
    const cached = startedAt === null ? undefined : this.#lists.get(key)
    if (cached) return cached
    const list = await listSavedFilters(this.#db, userId, screen)
    // A read that started before a change may be older than it.
    if (startedAt !== null && this.#revision.ifSubscribed === startedAt) this.#lists.set(key, list)
    return list
  }
}
