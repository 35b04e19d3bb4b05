import type { StatusUpdate, StatusUpdateJson } from '../types.ts'

export const REFRESH_MS = 10_000

interface RefreshParts<Update> {
  fetchStatuses(): Promise<Update[] | null>
  onUpdate(updates: Update[]): void
  isHidden(): boolean
}

type Events = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/**
 * Fetches statuses every 10 seconds while the page is visible, and immediately when it becomes visible or comes back from the
 * back/forward cache. One request at a time; failures are retried after the interval. Returns a stop function.
 */
export function startRefresh<Update>(parts: RefreshParts<Update>, page: Events, view: Events): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isFetching = false
  let isStopped = false

  const schedule = () => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(refresh, REFRESH_MS)
  }
  const refresh = async () => {
    if (isFetching || isStopped || parts.isHidden()) return
    clearTimeout(timer)
    isFetching = true
    const updates = await parts.fetchStatuses().catch(() => null)
    isFetching = false
    if (isStopped) return
    schedule()
    try {
      if (updates) parts.onUpdate(updates)
    } catch (error) {
      console.error(error)
    }
  }
  const onVisibility = () => {
    if (parts.isHidden()) clearTimeout(timer)
    else void refresh()
  }
  const onShow = (event: Event) => {
    if ((event as PageTransitionEvent).persisted) void refresh()
  }
  page.addEventListener('visibilitychange', onVisibility)
  view.addEventListener('pageshow', onShow)
  schedule()
  return () => {
    isStopped = true
    clearTimeout(timer)
    page.removeEventListener('visibilitychange', onVisibility)
    view.removeEventListener('pageshow', onShow)
  }
}

/** The product with the values of the last refresh; the same object without changes. A new price leaves the rate per kg unknown. */
export function refreshed<Product extends StatusUpdateJson>(product: Product, update: StatusUpdate | undefined): Product {
  if (!update || isUnchanged(product, update)) return product
  return { ...product, ...update, ...(update.price === product.price ? null : { rate_per_kg: null }) }
}

/** Whether an update changes no field. */
export function isUnchanged(known: StatusUpdate, update: StatusUpdate): boolean {
  return (Object.keys(update) as (keyof StatusUpdate)[]).every((field) => known[field] === update[field])
}

/** The URL of the refresh. Ids are sorted, so that pages with the same products share a cached response. */
export function refreshUrl(ids: readonly number[], lang: string): string {
  return `/api/product-status-update?productIds=${[...new Set(ids)].sort((a, b) => a - b).join(',')}&lang=${lang}`
}
