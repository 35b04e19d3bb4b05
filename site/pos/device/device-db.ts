import { type DBSchema, type IDBPDatabase, type StoreNames, openDB } from 'idb'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import type { DiscountLimit } from '#features/pos/approval-rules.ts'
import type { CatalogRow } from '#features/pos/device-catalog.ts'
import type { StoredSale } from './stored-sale.ts'
import { POS_DATABASE } from '#features/pos/storage-names.ts'

/** What is known about the stored catalog. */
export interface CatalogInfo {
  /** The cursor for the next request of changes. */
  since: string
  groups: Record<string, DeliveryGroup>
  /** Absent when an earlier build stored the catalog. */
  limit?: DiscountLimit
}

export interface DeviceSchema extends DBSchema {
  /** Rows in records of 2,000: reading 50 records is much faster than reading 100,000. */
  catalog: { key: number; value: CatalogRow[] }
  about: { key: 'catalog'; value: CatalogInfo }
  /** Queued sales, and the sales sent last. */
  outbox: { key: string; value: StoredSale }
  /** The products of release 0.1, in rows of another shape. */
  catalogue: { key: number; value: unknown }
}

export type DeviceDb = IDBPDatabase<DeviceSchema>

let opened: Promise<DeviceDb> | undefined

/** The POS database of this device; rejects where the browser has no IndexedDB. */
export function deviceDb(): Promise<DeviceDb> {
  opened ??= open()
  opened.catch(() => (opened = undefined))
  return opened
}

/** Rejects, instead of throwing, also where `indexedDB` is not defined. */
async function open(): Promise<DeviceDb> {
  const db = await openVersion()
  if (db.objectStoreNames.contains('catalog')) return db
  // The database of release 0.1 has the same version, and other stores.
  db.close()
  return openVersion(db.version + 1)
}

/** Opens the version that the device has, or a newer one with the stores that it lacks. */
function openVersion(version?: number): Promise<DeviceDb> {
  return openDB<DeviceSchema>(POS_DATABASE, version, {
    upgrade(db) {
      const has = (name: StoreNames<DeviceSchema>) => db.objectStoreNames.contains(name)
      if (has('catalogue')) db.deleteObjectStore('catalogue')
      if (!has('catalog')) db.createObjectStore('catalog')
      if (!has('about')) db.createObjectStore('about')
      if (!has('outbox')) db.createObjectStore('outbox', { keyPath: 'key' })
    },
    // A newer page in another tab needs an upgrade: close, and reopen on next use.
    blocking: (_current, _requested, event) => {
      ;(event.target as IDBDatabase).close()
      opened = undefined
    },
    terminated: () => (opened = undefined),
  })
}
