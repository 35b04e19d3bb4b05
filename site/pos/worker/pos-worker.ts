// Service worker of the POS: caches the page, the customer display and their files for offline use. A classic script of its own; it imports nothing.
// The server prepends `self.POS_BUILD`: the build id, the files of this build's pages, the names of caches and
// stores, and the statuses after which a sale is sent again.

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface InstallEvent extends ExtendableEvent {
  /** Chromium from 123. */
  addRoutes?(routes: { condition: { requestMethod: string }; source: 'network' }[]): Promise<void>
}
interface MessageEventOfPage extends ExtendableEvent {
  data: unknown
}
interface FetchEvent extends ExtendableEvent {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface SyncEvent extends ExtendableEvent {
  tag: string
}
interface WorkerScope {
  POS_BUILD: {
    build: string
    files: string[]
    names: typeof import('#features/pos/storage-names.ts').WORKER_NAMES
    retryStatuses: readonly number[]
  }
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'install', listener: (event: InstallEvent) => void): void
  addEventListener(type: 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageEventOfPage) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void
}

const worker = self as unknown as WorkerScope
const { build, files, names, retryStatuses } = worker.POS_BUILD
const PAGE = '/admin/quick-orders'
/** The pages that open without network: the POS and the customer display. */
const PAGES = [PAGE, `${PAGE}/display`]
const FALLBACK_IMAGE = '/logo.png'
/** The shop's own logo: the browser's cache has it, and no receipt carries another one. */
const LOGO = /-mark\.webp$/
const FILES_CACHE = names.filesPrefix + build
const pageKey = (path: string) => `${path}?build=${build}`
const TIMEOUT_MS = 5000
const SEND_TIMEOUT_MS = 30_000

worker.addEventListener('install', (event) => {
  // Sales go past the worker: the browser need not start it first.
  const routes = event.addRoutes?.([{ condition: { requestMethod: 'POST' }, source: 'network' }])
  if (routes) event.waitUntil(routes)
  const prepare = async () => {
    const cache = await caches.open(FILES_CACHE)
    await cache.addAll(files)
    await fetchPages()
    // All files are cached, so this worker may take over; open pages have loaded their own files.
    await worker.skipWaiting()
  }
  event.waitUntil(prepare())
})

async function fetchPages(): Promise<void> {
  for (const path of PAGES) {
    const answer = await fetch(path, { redirect: 'manual' })
    if (answer.ok) await cachePage(path, answer)
  }
}

worker.addEventListener('activate', (event) => {
  const cleanUp = async () => {
    // Keeps the previous build: an open page of it may still load its camera module, or it may be the only cached build.
    const others = (await caches.keys()).filter((name) => name.startsWith(names.filesPrefix) && name !== FILES_CACHE)
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
    const pages = await caches.open(names.pageCache)
    if (await pages.match(pageKey(PAGE)))
      for (const cached of await pages.keys()) if (buildOf(cached.url) !== build) await pages.delete(cached)
    await worker.clients.claim()
  }
  event.waitUntil(cleanUp())
})

/** A page asks to be claimed that was loading while this worker became active. It may have changed since the installation. */
worker.addEventListener('message', (event) => {
  if (event.data === 'claim') event.waitUntil(fetchPages().finally(() => worker.clients.claim()))
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (PAGES.includes(pathname)) event.respondWith(page(event, pathname))
  } else if (files.includes(pathname) || pathname.startsWith('/assets/')) event.respondWith(file(request, pathname))
  else if (pathname.startsWith('/uploads/') && !LOGO.test(pathname))
    event.respondWith(fetch(request).catch(() => file(request, FALLBACK_IMAGE)))
})

/** Network first, so that the page is current; the cache without a response. */
async function page(event: FetchEvent, path: string): Promise<Response> {
  const cached = await cachedPage(path)
  const request = fetch(event.request)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, TIMEOUT_MS))
  const answer = await (cached ? Promise.race([request, late]) : request).catch(() => undefined)
  request.catch(() => {})
  if (answer === undefined || answer.status >= 500) return cached ?? answer ?? Response.error()
  if (answer.ok) event.waitUntil(cachePage(path, answer.clone()))
  // Signed out, locked or not authorized. Another error of a proxy says nothing about the session.
  else if (answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403) await caches.delete(names.pageCache)
  return answer
}

/** The build that a page was cached by. */
const buildOf = (url: string) => new URL(url).searchParams.get('build')

/** The cached page of this build, else of an earlier build whose files are cached. */
async function cachedPage(path: string): Promise<Response | undefined> {
  const pages = await caches.open(names.pageCache)
  const own = await pages.match(pageKey(path))
  if (own) return own
  for (const { url } of await pages.keys())
    if (new URL(url).pathname === path && (await caches.has(names.filesPrefix + buildOf(url)))) return pages.match(url)
  return undefined
}

/** Caches a page whose files are all cached; a page of another build is left to that build's worker. */
async function cachePage(path: string, answer: Response): Promise<void> {
  const html = await answer.clone().text()
  const scripts = /<meta name="start" content="([^"]+)"/.exec(html)?.[1]?.split(' ') ?? []
  const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, sheet]) => sheet!)
  if (scripts.length === 0 || ![...scripts, ...sheets].every((name) => files.includes(name))) return
  await (await caches.open(names.pageCache)).put(pageKey(path), answer)
}

/** From the cache of any build: names in /assets/ contain a content hash. */
async function file(request: Request, path: string): Promise<Response> {
  // Does not open the cache: a deleted one would come back empty.
  const own = await caches.match(path, { cacheName: FILES_CACHE })
  if (own || !path.startsWith('/assets/')) return own ?? fetch(request)
  return (await caches.match(path)) ?? fetch(request)
}

worker.addEventListener('sync', (event) => {
  if (event.tag === names.syncTag) event.waitUntil(sendUnsentSales())
})

/** A record of the outbox (site/pos/device/outbox-rules.ts), as far as the worker reads it. */
interface UnsentSale {
  key: string
  sequence: number
  state: 'waiting' | 'rejected' | 'sold'
  body: object
}

/**
 * Sends the unsent sales after the POS was closed, under their idempotency keys, in order, and under the same Web Lock as the pages.
 * Only an order ends a sale here: a rejection needs a person, so the page that is opened next gets it again and shows it. The server
 * rejects sales of another cashier than the one who is logged in. Throws without an answer, or with one that decides nothing, so that the browser
 * repeats the sync.
 */
async function sendUnsentSales(): Promise<void> {
  await navigator.locks.request(names.sendLock, async () => {
    const db = await openOutbox()
    try {
      const all: UnsentSale[] = await finished(db.transaction('outbox').objectStore('outbox').getAll())
      const unsent = all.filter(({ state, sequence }) => state === 'waiting' && sequence > 0).sort((a, b) => a.sequence - b.sequence)
      if (unsent.length === 0) return
      const token = await readToken()
      let isLater = false
      for (const sale of unsent) {
        if (await isWithdrawn(sale.key)) continue
        const orderId = await sendSale(sale, token)
        if (orderId === 'later') isLater = true
        else if (orderId !== null) await markSold(db, sale.key, orderId)
      }
      if (isLater) throw new Error('The server did not take all sales')
    } finally {
      db.close()
      const pages = new BroadcastChannel(names.outboxChannel)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      pages.postMessage(null)
      pages.close()
    }
  })
}

/** Whether a page has taken the sale back, and the browser could not delete it. */
async function isWithdrawn(key: string): Promise<boolean> {
  return (await (await caches.open(names.withdrawnCache)).match(`/withdrawn-sales/${key}`)) !== undefined
}

/** The token that writes need. It belongs to the session of the cookies, as in page/api-client.ts. */
async function readToken(): Promise<string> {
  const answer = await fetch('/csrf-token', { cache: 'no-store', headers: { accept: 'application/json' } })
  const { token } = (await answer.json()) as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

/** Notes the order of a sale. A page that has taken the sale back gets its order by the key: the sale does not return to the outbox. */
async function markSold(db: IDBDatabase, key: string, orderId: number): Promise<void> {
  const store = db.transaction('outbox', 'readwrite', { durability: 'strict' }).objectStore('outbox')
  const stored: UnsentSale | undefined = await finished(store.get(key))
  if (stored) await finished(store.put({ ...stored, state: 'sold', orderId, sale: null, body: {} }))
}

/** Sends one sale. Returns its order id, null for a rejection, or `later` for an answer that decides nothing. */
async function sendSale({ key, body }: UnsentSale, token: string): Promise<number | 'later' | null> {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), SEND_TIMEOUT_MS)
  const answer = await fetch(`${PAGE}/store`, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-csrf-token': token,
      'idempotency-key': key,
      'x-sent-at': new Date().toISOString(),
    },
    body: JSON.stringify(body),
    signal: stop.signal,
  })
  if (answer.status >= 500 || retryStatuses.includes(answer.status)) return 'later'
  const { order_id: orderId, message } = (await answer.json().catch(() => ({}))) as { order_id?: unknown; message?: unknown }
  if (answer.ok) return typeof orderId === 'number' ? orderId : 'later'
  // Without a message it is not the shop that rejects the sale, but a proxy.
  return message ? null : 'later'
}

/** Opens the database of the POS; rejects where no page has created it. */
function openOutbox(): Promise<IDBDatabase> {
  const request = indexedDB.open(names.database)
  request.addEventListener('upgradeneeded', () => request.transaction?.abort())
  return finished(request)
}

function finished<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}
