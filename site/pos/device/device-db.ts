import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import type { DiscountLimit } from '#features/pos/approval-rules.ts'
import type { CatalogRow } from '#features/pos/device-catalog.ts'
import type { QueuedSale } from './outbox-rules.ts'

/** What the device knows of the catalog it keeps. */
export interface CachedResponseInfo {
  /** What to ask the shop with for what has changed since. */
  since: string
  groups: Record<string, DeliveryGroup>
  /** Not there in what an earlier build has kept. */
  limit?: DiscountLimit
}

interface DeviceSchema extends DBSchema {
  /** Rows by thousands: 50 records are read in a moment where 100,000 take a second. */
  catalog: { key: number; value: CatalogRow[] }
  about: { key: 'catalog'; value: CachedResponseInfo }
  /** Sales that have not reached the shop, and the last that have. */
  outbox: { key: string; value: QueuedSale }
}

export type DeviceDb = IDBPDatabase<DeviceSchema>

let opened: Promise<DeviceDb> | undefined

/** The till's database on this device; rejects where the browser keeps nothing. */
export function deviceDb(): Promise<DeviceDb> {
  opened ??= openDB<DeviceSchema>('khamar-till', 1, {
    upgrade(db) {
      db.createObjectStore('catalog')
      db.createObjectStore('about')
      db.createObjectStore('outbox', { keyPath: 'key' })
    },
    // A newer page in another tab wants it changed: this one lets go and opens it anew when it needs it.
    blocking: (_current, _wanted, event) => {
      ;(event.target as IDBDatabase).close()
      opened = undefined
    },
    terminated: () => (opened = undefined),
  })
  opened.catch(() => (opened = undefined))
  return opened
}
