import type { Actor } from '#features/audit/audit.server.ts'
import type { Permission } from '#features/auth/permissions.ts'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** Dependencies of the admin's order commands. */
export interface AdminDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  facts: Pick<ShopCache, 'settings' | 'areas' | 'products' | 'invalidate'>
  /** Reports that product data which shoppers see has changed. */
  catalogChanged(): void
}

/** A member of staff who acts, with permissions. */
export interface StaffActor extends Actor {
  can(right: Permission): boolean
}
