import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import type { DiscountLimit } from '#features/pos/approval-rules.ts'
import type { CatalogRow } from '#features/pos/device-catalog.ts'
import type { StoredSale } from './outbox-rules.ts'
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
  return openDB<DeviceSchema>(POS_DATABASE, 1, {
    upgrade(db) {
      db.createObjectStore('catalog')
      db.createObjectStore('about')
      db.createObjectStore('outbox', { keyPath: 'key' })
    },
    // A newer page in another tab needs an upgrade: close, and reopen on next use.
    blocking: (_current, _requested, event) => {
      ;(event.target as IDBDatabase).close()
      opened = undefined
    },
    terminated: () => (opened = undefined),
  })
}
