import type { Right } from '#features/auth/permissions.ts'
import type { ShopFacts } from '#features/catalog/shop-cache.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { MissingGoods } from './order-locks.server.ts'

/** What the office's commands about orders need of the process. */
export interface OfficeDeps {
  db: Db
  now: () => Date
  env: { publicUrl: string }
  facts: Pick<ShopFacts, 'settings' | 'areas' | 'products' | 'forget'>
  /** What shoppers see of the goods has changed. */
  catalogueChanged(): void
}

/** Who of the staff does it. */
export interface OrderClerk {
  id: number
  ip: string
  can(right: Right): boolean
}

/** Thrown inside a transaction to undo it: goods that are not there. It never leaves its command. */
export class Refused extends Error {
  readonly missing: readonly MissingGoods[]

  constructor(missing: readonly MissingGoods[]) {
    super('goods are missing')
    this.missing = missing
  }
}
