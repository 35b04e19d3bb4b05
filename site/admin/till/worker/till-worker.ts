// The till's page and what it is made of, for when there is no network. A classic script of its own: it imports nothing.
// The server puts `self.TILL` before it: the build, and the files that the page of this build needs.

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface WorkerScope {
  TILL: { build: string; files: string[] }
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', hear: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', hear: (event: FetchEvent) => void): void
}

const worker = self as unknown as WorkerScope
const { build, files } = worker.TILL
const PAGE = '/admin/quick-orders'
const NO_PICTURE = '/logo.png'
const FILES_CACHE = `khamar-till-files-${build}`
/** One name for all builds: whoever signs out deletes it. */
const PAGE_CACHE = 'khamar-till-page'
const KEPT_AS = `${PAGE}?build=${build}`
const PATIENCE_MS = 5000

worker.addEventListener('install', (event) => {
  const prepare = async () => {
    const cache = await caches.open(FILES_CACHE)
    await cache.addAll(files)
    const answer = await fetch(PAGE, { redirect: 'manual' })
    if (answer.ok) await keepPage(answer)
    // Its files are all there: it may take over, and the page that is open has loaded its own already.
    await worker.skipWaiting()
  }
  event.waitUntil(prepare())
})

worker.addEventListener('activate', (event) => {
  const tidy = async () => {
    const names = await caches.keys()
    await Promise.all(
      names.filter((name) => name.startsWith('khamar-till-files-') && name !== FILES_CACHE).map((name) => caches.delete(name)),
    )
    const pages = await caches.open(PAGE_CACHE)
    for (const kept of await pages.keys()) if (!kept.url.endsWith(KEPT_AS)) await pages.delete(kept)
    await worker.clients.claim()
  }
  event.waitUntil(tidy())
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (pathname === PAGE) event.respondWith(page(event))
  } else if (files.includes(pathname)) event.respondWith(file(request, pathname))
  else if (pathname.startsWith('/uploads/')) event.respondWith(fetch(request).catch(() => file(request, NO_PICTURE)))
})

/** From the network, so that it is always the newest; from what is kept when none answers. */
async function page(event: FetchEvent): Promise<Response> {
  const kept = await (await caches.open(PAGE_CACHE)).match(KEPT_AS)
  const asked = fetch(event.request)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))
  const answer = await (kept ? Promise.race([asked, late]) : asked).catch(() => undefined)
  asked.catch(() => {})
  if (answer === undefined || answer.status >= 500) return kept ?? answer ?? Response.error()
  if (answer.ok) event.waitUntil(keepPage(answer.clone()))
  // Signed out, or not allowed any more.
  else await caches.delete(PAGE_CACHE)
  return answer
}

/** Keeps a page whose files are all here; one of another build is left to that build's worker. */
async function keepPage(answer: Response): Promise<void> {
  const html = await answer.clone().text()
  const scripts = /<meta name="start" content="([^"]+)"/.exec(html)?.[1]?.split(' ') ?? []
  if (scripts.length === 0 || !scripts.every((script) => files.includes(script))) return
  await (await caches.open(PAGE_CACHE)).put(KEPT_AS, answer)
}

async function file(request: Request, path: string): Promise<Response> {
  return (await (await caches.open(FILES_CACHE)).match(path)) ?? fetch(request)
}
