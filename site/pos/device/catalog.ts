import type { DiscountLimit } from '#features/pos/approval-rules.ts'
import type { CatalogPart, CatalogRow } from '#features/pos/device-catalog.ts'
import { within } from '#lib/async/within.ts'
import { backgroundHeaders } from '#site/admin/lock/device-use.ts'
import { CatalogIndex } from './catalog-index.ts'
import { type DeviceDb, deviceDb, type CatalogInfo } from './device-db.ts'
import { hasNetwork, posCall } from './network.ts'
import { setOpenShift } from './open-shift.ts'
import { STORAGE_TIMEOUT_MS } from './storage-state.ts'
import { CATALOG_LOCK } from '#features/pos/storage-names.ts'

const ROWS_PER_RECORD = 2000
/** Records of one read from storage. */
const RECORDS_PER_READ = 2
/** How long the preparation of the search may block the page at once. */
const SLICE_MS = 8
const INTERVAL_MS = { online: 60_000, offline: 10_000 }
/** Minimum time between two price refreshes after products were added. */
const MIN_REFRESH_MS = 5000
const PART_TIMEOUT_MS = 30_000
/** A slow device reads the whole catalog within this time, and writes a part of it. Scans wait for the first load. */
const LOAD_TIMEOUT_MS = 15_000
const WRITE_TIMEOUT_MS = 30_000
/** After IndexedDB has failed, the catalog is updated in memory alone for this time: each try may load all products again. */
const STORAGE_PAUSE_MS = 10 * 60_000

/** A change of the catalog, sent to other tabs of this device. */
interface CatalogChange {
  since: string
  /** The cursor that the change follows. Absent in messages of tabs with an earlier build. */
  from?: string | null
  groups: CatalogInfo['groups']
  /** Absent in messages of tabs with an earlier build. */
  limit?: DiscountLimit
  rows: CatalogRow[]
  gone: number[]
}

/** Why the catalog of this device cannot be relied on: the server rejected an update, or the browser cannot store it. */
export type CatalogProblem = 'not-updated' | 'not-stored'

/** The product catalog of this device: searched in memory, stored in IndexedDB to survive a reload. */
export const catalog = new CatalogIndex()

let since: string | null = null
let loading: Promise<void> = Promise.resolve()
let channel: BroadcastChannel | null = null
let lastRequest = 0
/** The cashier of this page, whose shift the answers name. */
let cashier = 0
let problem: CatalogProblem | null = null
/** When IndexedDB is used again after a failure. */
let pausedUntil = 0
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** Notifies about changed products, whose prices may differ now. Returns the unsubscribe function. */
export function onCatalogChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The problem of the last refresh, shown with the connection state; null when the catalog is current and stored. */
export const catalogProblem = () => problem

/** Sets the problem; logs a new one with its cause. */
function setProblem(next: CatalogProblem | null, cause?: unknown): void {
  if (next === problem) return
  problem = next
  if (next) console.warn(`POS catalog ${next}`, cause)
  notify()
}

/** Loads the stored catalog, then refreshes it from the server until stopped. */
export function syncCatalog(cashierId: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  cashier = cashierId
  channel = new BroadcastChannel(CATALOG_LOCK)
  // After another cursor something is missing between them: the own one stays, and the next update reads what is stored.
  channel.addEventListener('message', ({ data }: MessageEvent<CatalogChange>) =>
    applyChange(data.from === since ? data : { ...data, since: '' }),
  )
  const run = async () => {
    await refresh()
    // The network may have returned meanwhile, which began another update.
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(run, hasNetwork() ? INTERVAL_MS.online : INTERVAL_MS.offline)
  }
  const now = () => {
    clearTimeout(timer)
    void run()
  }
  loading = within(load(), LOAD_TIMEOUT_MS).catch((error: unknown) => void pauseStorage(error))
  void loading.then(now)
  window.addEventListener('online', now)
  // The shift may have been closed elsewhere while another window was in front.
  window.addEventListener('focus', refreshCatalog)
  return () => {
    stopped = true
    clearTimeout(timer)
    window.removeEventListener('online', now)
    window.removeEventListener('focus', refreshCatalog)
    channel?.close()
    channel = null
  }
}

/** Resolves when the stored catalog is in memory, or cannot be read in time. */
export const catalogLoaded = (): Promise<void> => loading

/** Requests changes, unless that was just done. */
export function refreshCatalog(): void {
  if (Date.now() - lastRequest > MIN_REFRESH_MS && hasNetwork()) void refresh()
}

async function refresh(): Promise<void> {
  await update().catch((error: unknown) => setProblem('not-updated', error))
}

/** Reads the stored catalog into memory. One that ends early is loaded from the server. */
async function load(): Promise<void> {
  const db = await deviceDb()
  const about = await db.get('about', 'catalog')
  if (!about) return
  since = null
  catalog.clear()
  catalog.groups = about.groups
  catalog.limit = about.limit ?? null
  // Some records at a time: each read is a task of its own, so that the POS stays responsive.
  const { store } = db.transaction('catalog')
  const keys = await store.getAllKeys()
  for (let at = 0; at < keys.length; at += RECORDS_PER_READ) {
    const range = IDBKeyRange.bound(keys[at], keys[Math.min(at + RECORDS_PER_READ, keys.length) - 1])
    for (const rows of await store.getAll(range)) catalog.put(rows)
  }
  ;({ since } = about)
  pausedUntil = 0
  notify()
  prepareSearch()
}

/** Prepares the search while nothing else is to do. */
function prepareSearch(): void {
  const work = () => void (catalog.prepare(SLICE_MS) || prepareSearch())
  if (typeof requestIdleCallback === 'undefined') setTimeout(work)
  else requestIdleCallback(work, { timeout: 200 })
}

/** One tab at a time requests changes and broadcasts them to the others. */
async function update(): Promise<void> {
  await navigator.locks.request(CATALOG_LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    lastRequest = Date.now()
    await fetchParts(await readStored().catch(pauseStorage))
  })
}

/** The database, with what another tab has stored read into memory; null while IndexedDB is not used. */
async function readStored(): Promise<DeviceDb | null> {
  if (Date.now() < pausedUntil) return null
  const db = await within(deviceDb(), STORAGE_TIMEOUT_MS)
  const about = await within(db.get('about', 'catalog'), STORAGE_TIMEOUT_MS)
  if (about && about.since !== since) await within(load(), LOAD_TIMEOUT_MS)
  if (!about) since = null
  return db
}

/** IndexedDB is full, hangs or cannot be opened: the update goes on without it. */
function pauseStorage(error: unknown): null {
  pausedUntil = Date.now() + STORAGE_PAUSE_MS
  setProblem('not-stored', error)
  return null
}

/** Writes into the database; null from the first failure on. */
async function write(db: DeviceDb | null, work: (db: DeviceDb) => Promise<unknown>): Promise<DeviceDb | null> {
  return db && within(work(db), WRITE_TIMEOUT_MS).then(() => db, pauseStorage)
}

/** A full load replaces the catalog product by product: one that ends early leaves what was there, and begins again. */
async function fetchParts(opened: DeviceDb | null): Promise<void> {
  let db = opened
  let after: string | null = null
  let first: string | null = null
  const loaded = new Set<number>()
  do {
    const query = new URLSearchParams({ ...(since ? { since } : {}), ...(after ? { after } : {}) })
    const options = { timeoutMs: PART_TIMEOUT_MS, headers: backgroundHeaders() }
    const response = await posCall<CatalogPart>(`/api/admin/quick-orders/catalog?${query}`, options)
    // Shown elsewhere: the connection state, or the lock screen.
    if (response.noResponse || response.status === 423) return
    if (response.status === 422) {
      // The cursor has expired at the server: the next run loads everything.
      console.warn('POS catalog: the server rejected the cursor')
      since = null
      await write(db, clearStored)
      return
    }
    if (!response.ok || !Array.isArray(response.body?.rows)) throw new Error(`status ${response.status}`)
    const part: CatalogPart = response.body
    setOpenShift({ cashierId: cashier, shiftId: part.latest_shift_id, isOpen: part.shift_id !== null })
    if (part.full) for (const [id] of part.rows) loaded.add(id)
    const isFullyLoaded = part.full && part.next === null
    first ??= part.since
    applyChange({ ...part, since: since ?? '', gone: isFullyLoaded ? catalog.ids().filter((id) => !loaded.has(id)) : part.gone })
    db = await write(db, (to) => storePart(to, part))
    if (isFullyLoaded) db = await write(db, (to) => retainStored(to, loaded))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    if (!part.full) channel?.postMessage({ ...part, since: first, from: since } satisfies CatalogChange)
    after = part.next
  } while (after !== null)
  since = first
  prepareSearch()
  const { groups, limit } = catalog
  const about = since && { since, groups, ...(limit ? { limit } : {}) }
  if (about) db = await write(db, (to) => to.put('about', about, 'catalog'))
  setProblem(db ? null : 'not-stored')
}

function applyChange(change: CatalogChange): void {
  const { limit } = catalog
  const isLimitNew = change.limit !== undefined && (change.limit.percent !== limit?.percent || change.limit.taka !== limit.taka)
  if (isLimitNew) catalog.limit = change.limit ?? null
  catalog.groups = change.groups
  catalog.put(change.rows)
  catalog.remove(change.gone)
  if (change.since !== '') ({ since } = change)
  if (isLimitNew || change.rows.length + change.gone.length > 0) notify()
}

async function clearStored(db: DeviceDb): Promise<void> {
  await db.delete('about', 'catalog')
  await db.clear('catalog')
}

/** Removes all stored rows but those of these products. */
async function retainStored(db: DeviceDb, ids: ReadonlySet<number>): Promise<void> {
  const tx = db.transaction('catalog', 'readwrite')
  for (const record of await tx.store.getAllKeys()) {
    const rows = (await tx.store.get(record)) ?? []
    const retained = rows.filter(([id]) => ids.has(id))
    if (retained.length < rows.length) await tx.store.put(retained, record)
  }
  await tx.done
}

/** Writes a part into the records that its rows belong to. */
async function storePart(db: DeviceDb, { rows, gone }: CatalogPart): Promise<void> {
  const changes = new Map<number, Map<number, CatalogRow | null>>()
  const change = (id: number, row: CatalogRow | null) => {
    const record = Math.floor(id / ROWS_PER_RECORD)
    const there = changes.get(record) ?? new Map<number, CatalogRow | null>()
    changes.set(record, there.set(id, row))
  }
  for (const id of gone) change(id, null)
  for (const row of rows) change(row[0], row)
  const tx = db.transaction('catalog', 'readwrite')
  for (const [record, changed] of changes) {
    const before = (await tx.store.get(record)) ?? []
    const after = before.filter(([id]) => !changed.has(id))
    for (const row of changed.values()) if (row) after.push(row)
    await tx.store.put(after, record)
  }
  await tx.done
}
