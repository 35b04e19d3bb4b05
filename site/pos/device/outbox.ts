import { DAY_MS } from '#lib/format/time.ts'
import type { IDBPTransaction } from 'idb'
import { useSyncExternalStore } from 'react'
import { within } from '#lib/async/within.ts'
import { type DeviceSchema, deviceDb } from './device-db.ts'
import { isSameBody, type QueuedSale, type RejectedSale, waitingOf, withNewKey } from './outbox-rules.ts'
import { fromStored } from './stored-sale.ts'
import { noteStorageError, STORAGE_TIMEOUT_MS } from './storage-state.ts'
import { endWithdrawal, withdraw, withdrawnHere, withdrawnKeys } from './withdrawn-sales.ts'
import { OUTBOX_CHANNEL } from '#features/pos/storage-names.ts'

type OutboxTransaction = IDBPTransaction<DeviceSchema, ['outbox'], 'readwrite'>

const NONE: readonly QueuedSale[] = []
/** Sent sales stay listed for a while: their offline receipt has no order number. Their number is limited: all are read after each sale. */
const SHOWN_MS = DAY_MS
const MAX_SHOWN = 50
/** A sale that waits for an answer is shown as waiting after this time. */
const SHOW_WAITING_MS = 400

let sales = NONE
/** What is stored as far as this tab knows, with its own sales that are not shown yet; null before it was read. */
let known: readonly QueuedSale[] | null = null
let channel: BroadcastChannel | null = null
const listeners = new Set<() => void>()

/** Reloads the outbox from IndexedDB and notifies the page. Where it cannot be read, the page goes on with what it has. */
export async function readOutbox(): Promise<readonly QueuedSale[]> {
  const stored = await storedSales()
  known = stored === NONE ? null : stored
  if (known) show(known)
  return sales
}

/** The sales in IndexedDB. The page is not notified: what is read to be sent is on the screen already. */
export async function storedSales(): Promise<readonly QueuedSale[]> {
  return within(readStored(), STORAGE_TIMEOUT_MS)
    .then((stored) => {
      const withdrawn = withdrawnKeys()
      return stored.map(fromStored).filter(({ key }) => !withdrawn.has(key))
    })
    .catch(() => NONE)
}

const readStored = async () => (await deviceDb()).getAll('outbox')

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

/** A sale as stored. */
export interface AddedSale {
  sale: QueuedSale
  /** No other sale of its cashier waits. */
  isAlone: boolean
}

/**
 * Appends a sale durably; once this resolves, the sale survives a crash. A stored sale is replaced only by itself, after it was edited on the
 * screen: another sale under the same key is stored under a new key. Rejects where nothing can be stored, or not in time, and where another tab
 * has sold the edited sale.
 */
export async function addToOutbox(sale: QueuedSale): Promise<AddedSale> {
  const limit = new AbortController()
  const added = await within(addInTransaction(sale, limit.signal), STORAGE_TIMEOUT_MS).catch((error: unknown) => {
    limit.abort(error)
    noteStorageError(error)
    throw error
  })
  noteStorageError(null)
  // A sale that is answered soon is never shown as waiting: the render and its frame would delay the next sale.
  announce()
  setTimeout(() => void cleanUp(), SHOW_WAITING_MS)
  return added
}

/** Without a look at the stored sales, which takes as long as the rest: IndexedDB itself rejects a key that is in use. */
async function addInTransaction(sale: QueuedSale, limit: AbortSignal): Promise<AddedSale> {
  if (known?.every(({ key }) => key !== sale.key)) {
    const added = { ...sale, sequence: nextSequence(known) }
    const isAdded = await addNew(added, limit)
    if (isAdded) return noteAdded(added, known ?? [])
  }
  return addOrReplace(sale, limit)
}

/**
 * Adds or puts a sale. After `limit` it must not be stored any more, because it is sent from the screen: the transaction is aborted. One that is
 * being committed cannot be, so its sale is withdrawn.
 */
async function write(tx: OutboxTransaction, method: 'add' | 'put', sale: QueuedSale, limit: AbortSignal): Promise<void> {
  const abort = () => {
    try {
      tx.abort()
    } catch {
      withdraw(sale.key)
    }
  }
  limit.addEventListener('abort', abort)
  try {
    await Promise.all([tx.store[method](sale), tx.done])
  } finally {
    limit.removeEventListener('abort', abort)
  }
  limit.throwIfAborted()
}

async function beginWriting(limit: AbortSignal): Promise<OutboxTransaction> {
  const db = await deviceDb()
  limit.throwIfAborted()
  return db.transaction('outbox', 'readwrite', { durability: 'strict' })
}

/** False where the key is in use. */
async function addNew(sale: QueuedSale, limit: AbortSignal): Promise<boolean> {
  try {
    await write(await beginWriting(limit), 'add', sale, limit)
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'ConstraintError') return false
    throw error
  }
}

const nextSequence = (stored: readonly QueuedSale[]) => Math.max(0, ...stored.map(({ sequence }) => sequence)) + 1

function noteAdded(added: QueuedSale, stored: readonly QueuedSale[]): AddedSale {
  endWithdrawal(added.key)
  known = [...stored.filter(({ key }) => key !== added.key), added]
  return { sale: added, isAlone: waitingOf(known, added.cashier.id).every(({ key }) => key === added.key) }
}

async function addOrReplace(sale: QueuedSale, limit: AbortSignal): Promise<AddedSale> {
  const tx = await beginWriting(limit)
  const stored = (await tx.store.getAll()).map(fromStored)
  const withSameKey = stored.find(({ key }) => key === sale.key)
  const isStored = withSameKey?.state === 'waiting' && !withdrawnKeys().has(sale.key) && isSameBody(withSameKey.body, sale.body)
  // Sent from the screen, its changes are compared with what the shop has under this key.
  if (withSameKey?.state === 'sold' && sale.sale?.isUnsent) throw new Error('sold in another tab')
  const isReplaced = !isStored && withSameKey !== undefined && isEarlier(withSameKey, sale)
  const added = isStored ? withSameKey : { ...placed(sale, withSameKey, isReplaced), sequence: nextSequence(stored) }
  limit.throwIfAborted()
  if (!isStored) await write(tx, isReplaced ? 'put' : 'add', added, limit)
  return noteAdded(added, stored)
}

/** The sale under a key of its own where another one is stored under its key. An edited sale keeps why it was rejected before. */
function placed(sale: QueuedSale, withSameKey: QueuedSale | undefined, isReplaced: boolean): QueuedSale {
  if (withSameKey === undefined) return sale
  return isReplaced ? { ...sale, rejection: withSameKey.rejection } : withNewKey(sale)
}

/** Whether `stored` is this sale as it was before: edited on the screen, or withdrawn. One that waits was placed meanwhile, in another tab. */
const isEarlier = (stored: QueuedSale, { key, sale }: QueuedSale) =>
  withdrawnKeys().has(key) || (sale?.isUnsent === true && stored.state !== 'waiting')

/** Puts a stored sale under a new key, to be sent as a sale of its own. */
export async function renewKeyInOutbox(key: string): Promise<void> {
  await changeStored(key, (sale) => ({ ...withNewKey(sale), state: 'waiting', rejection: undefined }))
}

/** Changes a stored sale. */
export async function changeInOutbox(key: string, changes: Partial<QueuedSale>): Promise<void> {
  await changeStored(key, (sale) => ({ ...sale, ...changes }))
}

/** Replaces a stored sale. Does nothing when it was removed meanwhile, or sold by another tab: a sold sale is not sent once more. */
async function changeStored(key: string, change: (sale: QueuedSale) => QueuedSale): Promise<void> {
  await within(replaceStored(key, change), STORAGE_TIMEOUT_MS)
  await changed()
}

async function replaceStored(key: string, change: (sale: QueuedSale) => QueuedSale): Promise<void> {
  const tx = (await deviceDb()).transaction('outbox', 'readwrite', { durability: 'strict' })
  const stored = await tx.store.get(key)
  if (stored && stored.state !== 'sold') {
    const next = change(fromStored(stored))
    await tx.store.put(next)
    if (next.key !== key) await tx.store.delete(key)
  }
  await tx.done
}

/** Removes an unsent sale. Where the browser cannot delete it, it is withdrawn, and deleted with the next sale that is stored. */
export async function takeFromOutbox(key: string): Promise<void> {
  withdraw(key)
  try {
    await within(deleteWithdrawn(key), STORAGE_TIMEOUT_MS)
  } finally {
    await changed()
  }
}

/**
 * Deletes a sale that is still withdrawn when its turn has come: a transaction before this one may have stored it again. One that another tab
 * has sold stays listed.
 */
async function deleteWithdrawn(key: string): Promise<void> {
  const tx = (await deviceDb()).transaction('outbox', 'readwrite', { durability: 'strict' })
  const stored = await tx.store.get(key)
  const isDeleted = stored?.state !== 'sold' && withdrawnHere().has(key)
  await Promise.all([isDeleted ? tx.store.delete(key) : null, tx.done])
  endWithdrawal(key)
}

/** Shows the stored sales, and deletes what need not be stored any more. */
async function cleanUp(): Promise<void> {
  for (const key of withdrawnHere()) await deleteWithdrawn(key).catch(noteStorageError)
  const sold = (await readOutbox()).filter(({ state }) => state === 'sold').sort((a, b) => b.sequence - a.sequence)
  const old = sold.filter(({ soldAt }, at) => at >= MAX_SHOWN || Date.parse(soldAt) < Date.now() - SHOWN_MS)
  for (const { key } of old) await deleteSold(key).catch(noteStorageError)
}

const deleteSold = async (key: string) => (await deviceDb()).delete('outbox', key)

/** The sale goes on from the screen. One that was edited there stays in the list, so that it is not lost with the screen. */
export async function returnToScreen({ key, sale }: QueuedSale, rejection?: RejectedSale): Promise<void> {
  if (!sale?.isUnsent) return takeFromOutbox(key)
  await changeInOutbox(key, { state: 'rejected', ...(rejection ? { rejection } : {}) })
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    channel = new BroadcastChannel(OUTBOX_CHANNEL)
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

/** The outcome of a stored sale: its order, a rejection, or `gone` when it was discarded or has a new key; null while it waits. */
export type StoredOutcome = number | 'rejected' | 'gone' | null

export function useStoredOutcome(key: string | null): StoredOutcome {
  return useSyncExternalStore(
    subscribe,
    () => outcomeOf(key),
    () => null,
  )
}

function outcomeOf(key: string | null): StoredOutcome {
  if (key === null || known === null) return null
  const stored = known.find((sale) => sale.key === key)
  if (!stored) return 'gone'
  return stored.state === 'rejected' ? 'rejected' : (stored.orderId ?? null)
}
