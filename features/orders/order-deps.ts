import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** Dependencies of the admin's order commands. */
export interface AdminDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  shopCache: Pick<ShopCache, 'settings' | 'areas' | 'products' | 'invalidate'>
  /** Invalidates the caches of this process after a change of product data that shoppers see. */
  catalogChanged(): void
}
