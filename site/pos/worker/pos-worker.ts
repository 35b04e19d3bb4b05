// Service worker of the POS: caches the page and its files for offline use. A classic script of its own; it imports nothing.
// The server prepends `self.POS_BUILD`: the build id and the files of this build's page.

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface WorkerScope {
  POS_BUILD: { build: string; files: string[] }
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

const worker = self as unknown as WorkerScope
const { build, files } = worker.POS_BUILD
const PAGE = '/admin/quick-orders'
const FALLBACK_IMAGE = '/logo.png'
const FILES = 'khamar-till-files-'
const FILES_CACHE = FILES + build
/** One name for all builds: sign-out deletes it. */
const PAGE_CACHE = 'khamar-till-page'
const PAGE_KEY = `${PAGE}?build=${build}`
const TIMEOUT_MS = 5000

worker.addEventListener('install', (event) => {
  const prepare = async () => {
    const cache = await caches.open(FILES_CACHE)
    await cache.addAll(files)
    const answer = await fetch(PAGE, { redirect: 'manual' })
    if (answer.ok) await cachePage(answer)
    // All files are cached, so this worker may take over; open pages have loaded their own files.
    await worker.skipWaiting()
  }
  event.waitUntil(prepare())
})

worker.addEventListener('activate', (event) => {
  const cleanUp = async () => {
    // Keeps the previous build: an open page of it may still load its camera module, or it may be the only cached build.
    const others = (await caches.keys()).filter((name) => name.startsWith(FILES) && name !== FILES_CACHE)
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
    const pages = await caches.open(PAGE_CACHE)
    if (await pages.match(PAGE_KEY)) for (const cached of await pages.keys()) if (!cached.url.endsWith(PAGE_KEY)) await pages.delete(cached)
    await worker.clients.claim()
  }
  event.waitUntil(cleanUp())
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (pathname === PAGE) event.respondWith(page(event))
  } else if (files.includes(pathname) || pathname.startsWith('/assets/')) event.respondWith(file(request, pathname))
  else if (pathname.startsWith('/uploads/')) event.respondWith(fetch(request).catch(() => file(request, FALLBACK_IMAGE)))
})

/** Network first, so that the page is current; the cache without a response. */
async function page(event: FetchEvent): Promise<Response> {
  const cached = await cachedPage()
  const request = fetch(event.request)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, TIMEOUT_MS))
  const answer = await (cached ? Promise.race([request, late]) : request).catch(() => undefined)
  request.catch(() => {})
  if (answer === undefined || answer.status >= 500) return cached ?? answer ?? Response.error()
  if (answer.ok) event.waitUntil(cachePage(answer.clone()))
  // Signed out or not authorized: drop the cached page.
  else await caches.delete(PAGE_CACHE)
  return answer
}

/** The cached page of this build, else of an earlier build whose files are cached. */
async function cachedPage(): Promise<Response | undefined> {
  const pages = await caches.open(PAGE_CACHE)
  const own = await pages.match(PAGE_KEY)
  if (own) return own
  for (const { url } of await pages.keys()) if (await caches.has(FILES + new URL(url).searchParams.get('build'))) return pages.match(url)
  return undefined
}

/** Caches a page whose files are all cached; a page of another build is left to that build's worker. */
async function cachePage(answer: Response): Promise<void> {
  const html = await answer.clone().text()
  const scripts = /<meta name="start" content="([^"]+)"/.exec(html)?.[1]?.split(' ') ?? []
  const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, sheet]) => sheet!)
  if (scripts.length === 0 || ![...scripts, ...sheets].every((name) => files.includes(name))) return
  await (await caches.open(PAGE_CACHE)).put(PAGE_KEY, answer)
}

/** From the cache of any build: names in /assets/ contain a content hash. */
async function file(request: Request, path: string): Promise<Response> {
  const own = await (await caches.open(FILES_CACHE)).match(path)
  if (own || !path.startsWith('/assets/')) return own ?? fetch(request)
  return (await caches.match(path)) ?? fetch(request)
}
