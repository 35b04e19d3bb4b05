import { listSavedFilters, type SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { ResponseCache } from '../cache/response-cache.ts'

const MAX_LISTS = 1000

/** The filters that somebody saved for a list, kept while the revision stands: they change a few times a month, and every page of a list shows them. */
export class SavedFilterLists {
  readonly #db: Db
  readonly #kept: Pick<ResponseCache, 'revision' | 'listening'>
  readonly #lists = new Map<string, SavedFilter[]>()
  #revision = 0

  constructor(db: Db, kept: Pick<ResponseCache, 'revision' | 'listening'>) {
    this.#db = db
    this.#kept = kept
  }

  async of(userId: number, screen: string): Promise<SavedFilter[]> {
    const { revision, listening } = this.#kept
    if (revision !== this.#revision || !listening || this.#lists.size >= MAX_LISTS) this.#lists.clear()
    this.#revision = revision
    const key = `${userId} ${screen}`
    const known = this.#lists.get(key)
    if (known) return known
    const list = await listSavedFilters(this.#db, userId, screen)
    // What was asked before a change may be older than it.
    if (listening && this.#kept.revision === revision) this.#lists.set(key, list)
    return list
  }
}
