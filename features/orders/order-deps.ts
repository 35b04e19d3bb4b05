import type { Permission } from '#features/auth/permissions.ts'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { MissingProduct } from './order-locks.server.ts'

/** What the admin's commands about orders need of the process. */
export interface AdminDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  facts: Pick<ShopCache, 'settings' | 'areas' | 'products' | 'invalidate'>
  /** What shoppers see of the goods has changed. */
  catalogChanged(): void
}

/** Who of the staff does it. */
export interface StaffActor {
  id: number
  ip: string
  can(right: Permission): boolean
}

/** Thrown inside a transaction to undo it: goods that are not there. It never leaves its command. */
export class StockUnavailableError extends Error {
  readonly missing: readonly MissingProduct[]

  constructor(missing: readonly MissingProduct[]) {
    super('goods are missing')
    this.missing = missing
  }
}
