import type { StatusUpdate, StatusUpdateJson } from '../types.ts'

export const REFRESH_MS = 10_000

interface RefreshParts {
  fetchStatuses(): Promise<StatusUpdate[] | null>
  onUpdate(updates: StatusUpdate[]): void
  isHidden(): boolean
}

type Events = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/**
 * Fetches statuses every 10 seconds while the page is visible, and at once when it is visible again or back from the back/forward cache.
 * One request at a time; a failed answer or a failed update is retried at the next turn. Answers a function that stops it.
 */
export function startRefresh(parts: RefreshParts, page: Events, view: Events): () => void {
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

/** A product as the last refresh knows it; the same object when nothing is new. */
export function refreshed<Product extends StatusUpdateJson>(product: Product, update: StatusUpdate | undefined): Product {
  return !update || saysNothingNew(product, update) ? product : { ...product, ...update }
}

/** Whether every field of an update is known. */
export function saysNothingNew(known: StatusUpdate, update: StatusUpdate): boolean {
  return (Object.keys(update) as (keyof StatusUpdate)[]).every((field) => known[field] === update[field])
}

/** Address of the refresh: ids sorted, so that everybody who sees the same products asks the same. */
export function refreshUrl(ids: readonly number[], lang: string): string {
  return `/api/product-status-update?productIds=${[...new Set(ids)].sort((a, b) => a - b).join(',')}&lang=${lang}`
}
