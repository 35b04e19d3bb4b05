import { useSyncExternalStore } from 'react'
import { deviceDb } from './device-db.ts'
import type { QueuedSale } from './outbox-rules.ts'

const NONE: readonly QueuedSale[] = []
/** Sales that arrived are shown for a while: the slip in a customer's hand names no order. */
const SHOWN_MS = 24 * 3_600_000
const CHANNEL = 'khamar-till-outbox'

let sales = NONE
let channel: BroadcastChannel | null = null
const listeners = new Set<() => void>()

/** Reads the outbox anew, and lets the page know. */
export async function readOutbox(): Promise<readonly QueuedSale[]> {
  sales = await deviceDb()
    .then((db) => db.getAll('outbox'))
    .catch(() => NONE)
  for (const listener of listeners) listener()
  return sales
}

async function changed(): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel?.postMessage(null)
  await readOutbox()
}

/** Writes a new sale down behind all others; when this resolves it survives whatever happens to the browser. Rejects where nothing can be kept. */
export async function putIntoOutbox(sale: Omit<QueuedSale, 'place'>): Promise<void> {
  const db = await deviceDb()
  const tx = db.transaction('outbox', 'readwrite', { durability: 'strict' })
  const there = await tx.store.getAll()
  await tx.store.put({ ...sale, place: Math.max(0, ...there.map(({ place }) => place)) + 1 })
  for (const old of there) if (old.state === 'sold' && Date.parse(old.soldAt) < Date.now() - SHOWN_MS) await tx.store.delete(old.key)
  await tx.done
  await changed()
}

/** Changes a sale that is there; one that is gone meanwhile stays gone. */
export async function changeInOutbox(key: string, changes: Partial<QueuedSale>): Promise<void> {
  const db = await deviceDb()
  const tx = db.transaction('outbox', 'readwrite', { durability: 'strict' })
  const there = await tx.store.get(key)
  if (there) await tx.store.put({ ...there, ...changes })
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

/** The sales on this device that are on their way, of all cashiers and tabs. */
export function useOutbox(): readonly QueuedSale[] {
  return useSyncExternalStore(
    subscribe,
    () => sales,
    () => NONE,
  )
}
