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
const FILES = 'khamar-till-files-'
const FILES_CACHE = FILES + build
/** One name for all builds: whoever signs out deletes it. */
const PAGE_CACHE = 'khamar-till-page'
const KEPT_AS = `${PAGE}?build=${build}`
const TIMEOUT_MS = 5000

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
    // The build before stays: a page of it may be open, with a sale on it, and still wants its camera; and may be all that is kept.
    const others = (await caches.keys()).filter((name) => name.startsWith(FILES) && name !== FILES_CACHE)
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
    const pages = await caches.open(PAGE_CACHE)
    if (await pages.match(KEPT_AS)) for (const kept of await pages.keys()) if (!kept.url.endsWith(KEPT_AS)) await pages.delete(kept)
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
  } else if (files.includes(pathname) || pathname.startsWith('/assets/')) event.respondWith(file(request, pathname))
  else if (pathname.startsWith('/uploads/')) event.respondWith(fetch(request).catch(() => file(request, NO_PICTURE)))
})

/** From the network, so that it is always the newest; from what is kept when none answers. */
async function page(event: FetchEvent): Promise<Response> {
  const kept = await keptPage()
  const asked = fetch(event.request)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, TIMEOUT_MS))
  const answer = await (kept ? Promise.race([asked, late]) : asked).catch(() => undefined)
  asked.catch(() => {})
  if (answer === undefined || answer.status >= 500) return kept ?? answer ?? Response.error()
  if (answer.ok) event.waitUntil(keepPage(answer.clone()))
  // Signed out, or not allowed any more.
  else await caches.delete(PAGE_CACHE)
  return answer
}

/** The page of this build; while it has not been seen, that of an earlier one whose files are here. */
async function keptPage(): Promise<Response | undefined> {
  const pages = await caches.open(PAGE_CACHE)
  const own = await pages.match(KEPT_AS)
  if (own) return own
  for (const { url } of await pages.keys()) if (await caches.has(FILES + new URL(url).searchParams.get('build'))) return pages.match(url)
  return undefined
}

/** Keeps a page whose files are all here; one of another build is left to that build's worker. */
async function keepPage(answer: Response): Promise<void> {
  const html = await answer.clone().text()
  const scripts = /<meta name="start" content="([^"]+)"/.exec(html)?.[1]?.split(' ') ?? []
  const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, sheet]) => sheet!)
  if (scripts.length === 0 || ![...scripts, ...sheets].every((name) => files.includes(name))) return
  await (await caches.open(PAGE_CACHE)).put(KEPT_AS, answer)
}

/** From this build's files, or another's: names in /assets/ say what is in them. */
async function file(request: Request, path: string): Promise<Response> {
  const own = await (await caches.open(FILES_CACHE)).match(path)
  if (own || !path.startsWith('/assets/')) return own ?? fetch(request)
  return (await caches.match(path)) ?? fetch(request)
}
