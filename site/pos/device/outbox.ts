import { useSyncExternalStore } from 'react'
import { afterPaint } from '../after-paint.ts'
import { deviceDb } from './device-db.ts'
import { fromStored, isSameBody, type QueuedSale, withNewKey } from './outbox-rules.ts'
import { noteStorageError } from './storage-state.ts'

const NONE: readonly QueuedSale[] = []
/** Sent sales stay listed for a while: their offline receipt has no order number. Their number is limited: each sale reads all of them. */
const SHOWN_MS = 24 * 3_600_000
const MAX_SHOWN = 50
const CHANNEL = 'khamar-till-outbox'

let sales = NONE
let channel: BroadcastChannel | null = null
const listeners = new Set<() => void>()

/** Reloads the outbox from IndexedDB and notifies the page. */
export async function readOutbox(): Promise<readonly QueuedSale[]> {
  show(await storedSales())
  return sales
}

/** The sales in IndexedDB. The page is not notified: what is read to be sent is on the screen already. */
export async function storedSales(): Promise<readonly QueuedSale[]> {
  return deviceDb()
    .then((db) => db.getAll('outbox'))
    .then((stored) => stored.map(fromStored))
    .catch(() => NONE)
}

function show(now: readonly QueuedSale[]): void {
  sales = now
  for (const listener of listeners) listener()
}

/** Tells the other tabs that the stored sales have changed. */
function announce(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel?.postMessage(null)
}

async function changed(): Promise<void> {
  announce()
  await readOutbox()
}

/**
 * Appends a sale durably; once this resolves, the sale survives a crash. A stored sale is never replaced: a sale with another body under
 * the same key is stored under a new key. Returns the sale as stored. Rejects where nothing can be stored.
 */
export async function addToOutbox(sale: QueuedSale): Promise<QueuedSale> {
  const added = await addInTransaction(sale).catch((error: unknown) => {
    noteStorageError(error)
    throw error
  })
  noteStorageError(null)
  // The sale is sent at once, before the page shows that it waits.
  announce()
  afterPaint(() => void readOutbox())
  return added
}

async function addInTransaction(sale: QueuedSale): Promise<QueuedSale> {
  const db = await deviceDb()
  const tx = db.transaction('outbox', 'readwrite', { durability: 'strict' })
  const stored = (await tx.store.getAll()).map(fromStored)
  const withSameKey = stored.find(({ key }) => key === sale.key)
  const isStored = withSameKey?.state === 'waiting' && isSameBody(withSameKey.body, sale.body)
  const sequence = Math.max(0, ...stored.map((one) => one.sequence)) + 1
  const added = isStored ? withSameKey : { ...(withSameKey ? withNewKey(sale) : sale), sequence }
  const sold = stored.filter(({ state }) => state === 'sold').sort((a, b) => b.sequence - a.sequence)
  const old = sold.filter(({ soldAt }, at) => at >= MAX_SHOWN || Date.parse(soldAt) < Date.now() - SHOWN_MS)
  await Promise.all([
    ...(isStored ? [] : [tx.store.add(added)]),
    ...old.filter(({ key }) => key !== added.key).map(({ key }) => tx.store.delete(key)),
    tx.done,
  ])
  return added
}

/** Puts a stored sale under a new key, to be sent as a sale of its own. */
export async function renewKeyInOutbox(key: string): Promise<void> {
  const db = await deviceDb()
  const tx = db.transaction('outbox', 'readwrite', { durability: 'strict' })
  const stored = await tx.store.get(key)
  if (stored) {
    await tx.store.add({ ...withNewKey(fromStored(stored)), state: 'waiting', rejection: undefined })
    await tx.store.delete(key)
  }
  await tx.done
  await changed()
}

/** Changes a stored sale; does nothing when it was removed meanwhile. */
export async function changeInOutbox(key: string, changes: Partial<QueuedSale>): Promise<void> {
  const db = await deviceDb()
  const tx = db.transaction('outbox', 'readwrite', { durability: 'strict' })
  const stored = await tx.store.get(key)
  if (stored) await tx.store.put({ ...fromStored(stored), ...changes })
  await tx.done
  await changed()
}

export async function takeFromOutbox(key: string): Promise<void> {
  await (await deviceDb()).delete('outbox', key)
  await changed()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    channel = new BroadcastChannel(CHANNEL)
    channel.addEventListener('message', () => void readOutbox())
    void readOutbox()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    channel?.close()
    channel = null
  }
}

/** The queued sales on this device, of all cashiers and tabs. */
export function useOutbox(): readonly QueuedSale[] {
  return useSyncExternalStore(
    subscribe,
    () => sales,
    () => NONE,
  )
}
