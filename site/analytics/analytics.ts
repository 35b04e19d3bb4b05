// The entry of measuring visits, loaded only by shops that have switched it on, and started after the page's first second.
import type { AnalyticsConfig } from './config.ts'
import { offerConsent, storedConsent } from './consent-banner.ts'
import { addEvent, openingEvent, ORDER_ID_PREFIX, type PageEvent } from './page-events.ts'
import { loadServices } from './services.ts'

const FIRST_SECOND_MS = 1000
/** The cart stores an added product within this time. */
const CART_MS = 500
const REPORTED_KEY = 'analyticsPurchase'
/** Purchases of a day, which is how long their pages report them. */
const MAX_REPORTED = 50

let report: ((event: PageEvent) => void) | null = null

function start(): void {
  const config = JSON.parse(document.querySelector('meta[name="analytics"]')?.getAttribute('content') ?? 'null') as AnalyticsConfig | null
  if (!config) return
  offerConsent(config, (consent) => {
    if (consent === 'yes') return measure(config)
    deleteServiceCookies()
    // A loaded service cannot be unloaded: the next page does not load it.
    if (report) location.reload()
  })
  if (storedConsent(config) === 'yes') measure(config)
}

/** Deletes the cookies that Meta and Google set for this host, or for a domain above it. */
function deleteServiceCookies(): void {
  const labels = location.hostname.split('.')
  const domains = ['', ...labels.map((_, at) => `; domain=${labels.slice(at).join('.')}`)]
  for (const [name] of document.cookie.split('; ').map((cookie) => cookie.split('=')))
    if (/^_(fb[cp]$|ga|gcl_)/.test(name ?? '')) for (const domain of domains) document.cookie = `${name}=; path=/; max-age=0${domain}`
}

function measure(config: AnalyticsConfig): void {
  if (report) return
  report = loadServices(config)
  const opening = openingEvent(document.getElementById('app')?.dataset.page ?? '', document, localStorage)
  if (opening && markReported(opening)) {
    report(opening)
    if (opening.meta === 'Purchase' && config.serverReports) reportByServer(Number(opening.id.slice(ORDER_ID_PREFIX.length)))
  }
  document.addEventListener('click', reportAdded, { capture: true })
}

/** The server reports the purchase as well: browsers and extensions stop many reports of Meta's own script. Meta counts the id once. */
function reportByServer(order: number): void {
  const _token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content
  const [headers, body] = [{ 'content-type': 'application/json' }, JSON.stringify({ order, _token })]
  fetch('/api/purchase-reports', { method: 'POST', headers, body, keepalive: true }).catch(() => {})
}

/** Stores that a purchase is reported. False if this browser has reported it: its page may be reloaded, also after that of a later one. */
function markReported({ meta, id }: PageEvent): boolean {
  if (meta !== 'Purchase') return true
  const reported = localStorage.getItem(REPORTED_KEY)?.split(' ') ?? []
  if (reported.includes(id)) return false
  localStorage.setItem(REPORTED_KEY, [...reported, id].slice(-MAX_REPORTED).join(' '))
  return true
}

function reportAdded({ target }: Event): void {
  const id = Number((target as Element | null)?.closest<HTMLElement>('[data-add]')?.dataset.add)
  if (!id || addEvent(id, localStorage)) return
  setTimeout(() => {
    const event = addEvent(id, localStorage)
    if (event) report?.(event)
  }, CART_MS)
}

/** After load, a second, and when the browser is idle. A prerendered page waits until it is shown. */
function whenQuiet(work: () => void): void {
  const idle = () => setTimeout(() => ('requestIdleCallback' in window ? requestIdleCallback(work) : work()), FIRST_SECOND_MS)
  const loaded = () => (document.readyState === 'complete' ? idle() : addEventListener('load', idle, { once: true }))
  if ((document as { prerendering?: boolean }).prerendering) document.addEventListener('prerenderingchange', loaded, { once: true })
  else loaded()
}

whenQuiet(start)
