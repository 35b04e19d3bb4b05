import type { DiscountLimit } from '#features/pos/approval-rules.ts'
import type { CatalogPart, CatalogRow } from '#features/pos/device-catalog.ts'
import { CatalogIndex } from './catalog-index.ts'
import { type DeviceDb, deviceDb, type CachedResponseInfo } from './device-db.ts'
import { hasNetwork, posCall } from './network.ts'

const IN_RECORD = 2000
const EVERY_MS = { online: 60_000, offline: 10_000 }
/** After a product was taken its price is asked for again, not more often than this. */
const SOON_MS = 5000
const PART_TIMEOUT_MS = 30_000
const LOCK = 'khamar-till-catalog'

/** What other tabs of this device are told. */
interface News {
  since: string
  groups: CachedResponseInfo['groups']
  /** Not there where a tab of an earlier build tells. */
  limit?: DiscountLimit
  rows: CatalogRow[]
  gone: number[]
}

/** The goods on this device: in memory to be found, in the browser's database to be there after a reload. */
export const catalog = new CatalogIndex()

let since: string | null = null
let channel: BroadcastChannel | null = null
let lastAsked = 0
const listeners = new Set<() => void>()
const say = () => {
  for (const listener of listeners) listener()
}

/** Tells when products changed: prices of lines may be others now. Answers how to stop it. */
export function onCatalogChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Reads what the device keeps, then keeps it up with the shop until stopped. */
export function syncCatalog(): () => void {
  let timer: ReturnType<typeof setTimeout>
  let stopped = false
  channel = new BroadcastChannel(LOCK)
  channel.addEventListener('message', ({ data }: MessageEvent<News>) => take(data))
  const round = async () => {
    await update().catch(() => {})
    if (!stopped) timer = setTimeout(round, hasNetwork() ? EVERY_MS.online : EVERY_MS.offline)
  }
  const now = () => {
    clearTimeout(timer)
    void round()
  }
  void load()
    .catch(() => {})
    .then(now)
  window.addEventListener('online', now)
  return () => {
    stopped = true
    clearTimeout(timer)
    window.removeEventListener('online', now)
    channel?.close()
    channel = null
  }
}

/** Asks for what has changed, if that was not just done. */
export function refreshCatalog(): void {
  if (Date.now() - lastAsked > SOON_MS && hasNetwork()) void update().catch(() => {})
}

async function load(): Promise<void> {
  const db = await deviceDb()
  const about = await db.get('about', 'catalog')
  if (!about) return
  catalog.clear()
  catalog.groups = about.groups
  catalog.limit = about.limit ?? null
  for (const rows of await db.getAll('catalog')) {
    catalog.put(rows)
    // The till stays awake while it learns.
    await new Promise((resolve) => setTimeout(resolve))
  }
  ;({ since } = about)
  say()
}

/** One tab at a time asks, and tells the others. */
async function update(): Promise<void> {
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    lastAsked = Date.now()
    const db = await deviceDb().catch(() => null)
    const kept = await db?.get('about', 'catalog')
    if (kept && kept.since !== since) await load()
    if (!kept && db) since = null
    await fetchParts(db)
  })
}

async function fetchParts(db: DeviceDb | null): Promise<void> {
  let after: string | null = null
  let begun: string | null = null
  do {
    const query = new URLSearchParams({ ...(since ? { since } : {}), ...(after ? { after } : {}) })
    const answer = await posCall<CatalogPart>(`/api/admin/quick-orders/catalog?${query}`, { timeoutMs: PART_TIMEOUT_MS })
    if (!answer.ok || !Array.isArray(answer.body?.rows)) {
      // What the device knows means nothing to the shop any more: everything anew, next time.
      if (answer.status === 422) await forgetGoods(db)
      return
    }
    const part: CatalogPart = answer.body
    if (part.full && begun === null) {
      await forgetGoods(db)
      catalog.clear()
    }
    begun ??= part.since
    take({ ...part, since: since ?? '' })
    if (db) await keep(db, part)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    if (!part.full) channel?.postMessage({ ...part, since: begun } satisfies News)
    after = part.next
  } while (after !== null)
  since = begun
  const { groups, limit } = catalog
  if (db && since) await db.put('about', { since, groups, ...(limit ? { limit } : {}) }, 'catalog')
}

function take(news: News): void {
  const { limit } = catalog
  const isLimitNew = news.limit !== undefined && (news.limit.percent !== limit?.percent || news.limit.taka !== limit.taka)
  if (isLimitNew) catalog.limit = news.limit ?? null
  catalog.groups = news.groups
  catalog.put(news.rows)
  catalog.remove(news.gone)
  if (news.since !== '') ({ since } = news)
  if (isLimitNew || news.rows.length + news.gone.length > 0) say()
}

async function forgetGoods(db: DeviceDb | null): Promise<void> {
  since = null
  await db?.delete('about', 'catalog')
  await db?.clear('catalog')
}

/** Puts a part into the records that its rows belong to. */
async function keep(db: DeviceDb, { rows, gone }: CatalogPart): Promise<void> {
  const changes = new Map<number, Map<number, CatalogRow | null>>()
  const change = (id: number, row: CatalogRow | null) => {
    const record = Math.floor(id / IN_RECORD)
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
