// Meta Pixel and GA4, without their inline snippets, which the content security policy forbids.
import type { AnalyticsConfig } from './config.ts'
import type { PageEvent } from './page-events.ts'

interface Fbq {
  (...args: unknown[]): void
  callMethod?: (...args: unknown[]) => void
  queue: unknown[][]
  loaded: boolean
  version: string
  push?: Fbq
}

declare global {
  interface Window {
    fbq?: Fbq
    _fbq?: Fbq
    dataLayer?: unknown[]
  }
}

/** Loads the configured services and returns a function that reports an event to each. */
export function loadServices({ pixel_id, ga4_id }: AnalyticsConfig): (event: PageEvent) => void {
  hideOwnReferrer()
  const meta = pixel_id === '' ? null : loadPixel(pixel_id)
  const google = ga4_id === '' ? null : loadGoogle(ga4_id)
  return ({ meta: name, ga4, id, productIds, value }) => {
    meta?.('track', name, { content_ids: productIds, content_type: 'product', value, currency: 'BDT' }, { eventID: id })
    const items = productIds.map((item_id) => ({ item_id }))
    google?.('event', ga4, { value, currency: 'BDT', items, ...(ga4 === 'purchase' ? { transaction_id: id } : {}) })
  }
}

/** Both services report the previous page. Private addresses of the shop have keys of orders, tracking codes, or phones that staff look for. */
function hideOwnReferrer(): void {
  const home = `${location.origin}/`
  if (document.referrer.startsWith(home)) Object.defineProperty(document, 'referrer', { value: home })
}

/** developers.facebook.com/docs/meta-pixel/get-started: calls wait in `queue` until the script is there. */
function loadPixel(id: string): Fbq {
  const fbq = ((...args: unknown[]) => {
    if (fbq.callMethod) fbq.callMethod(...args)
    else fbq.queue.push(args)
  }) as Fbq
  Object.assign(fbq, { queue: [], loaded: true, version: '2.0', push: fbq })
  window.fbq = window._fbq = fbq
  addScript('https://connect.facebook.net/en_US/fbevents.js')
  // Without this the pixel reads buttons and forms of the page.
  fbq('set', 'autoConfig', false, id)
  fbq('init', id)
  fbq('track', 'PageView')
  return fbq
}

/** developers.google.com/tag-platform/gtagjs: the queue takes `arguments` objects, no arrays. */
function loadGoogle(id: string): (...args: unknown[]) => void {
  const layer = (window.dataLayer ??= [])
  function gtag(..._args: unknown[]): void {
    // gtag.js ignores arrays.
    layer.push(arguments)
  }
  gtag('js', new Date())
  gtag('config', id, { allow_google_signals: false, allow_ad_personalization_signals: false })
  addScript(`https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`)
  return gtag
}

function addScript(src: string): void {
  document.head.append(Object.assign(document.createElement('script'), { src, async: true }))
}
