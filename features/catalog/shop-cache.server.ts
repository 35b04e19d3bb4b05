import type { Settings } from '#features/settings/settings.ts'
import { SettingsCache } from '#features/settings/settings-cache.server.ts'
import type { Revision } from '#lib/async/revision-cache.ts'
import type { Db } from '#lib/db/db.server.ts'
import { AreaCache, type CachedArea, type AreaNames } from './areas/area-cache.server.ts'
import { type CachedCategory, CategoryCache } from './categories/category-cache.server.ts'
import { ProductCache } from './product-cache.server.ts'
import type { SoldProductRow } from './product-rows.server.ts'

export type { CachedArea } from './areas/area-cache.server.ts'

/** The four caches that pricing and pages read, on one revision of the catalog. Search has its own in features/search. */
export class ShopCache {
  readonly #settings: SettingsCache
  readonly #categories: CategoryCache
  readonly #areas: AreaCache
  readonly #products: ProductCache

  constructor(db: Db, revision: Revision) {
    this.#settings = new SettingsCache(db, revision)
    this.#categories = new CategoryCache(db, revision)
    this.#areas = new AreaCache(db, revision)
    this.#products = new ProductCache(db, revision)
  }

  settings(): Promise<Settings> {
    return this.#settings.get()
  }

  categories(): Promise<CachedCategory[]> {
    return this.#categories.get()
  }

  areas(): Promise<Map<number, CachedArea>> {
    return this.#areas.active()
  }

  areaNames(): Promise<AreaNames[]> {
    return this.#areas.names()
  }

  products(ids: number[]): Promise<Map<number, SoldProductRow>> {
    return this.#products.find(ids)
  }

  /** Every cache reads the database again at its next use. */
  invalidate(): void {
    this.#settings.invalidate()
    this.#categories.invalidate()
    this.#areas.invalidate()
    this.#products.invalidate()
  }
}
