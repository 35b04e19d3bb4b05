import type { StatusUpdateJson } from '../types.ts'

export const REFRESH_MS = 10_000

interface RefreshParts {
  fetchStatuses(): Promise<StatusUpdateJson[] | null>
  onUpdate(updates: StatusUpdateJson[]): void
  isHidden(): boolean
}

/**
 * Asks for statuses every 10 seconds while the page is looked at, and at once when it is looked at again.
 * Never two questions at a time; an answer that fails is asked for again at the next turn. Answers a function that stops it.
 */
export function startRefresh(parts: RefreshParts, page: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = false
  let stopped = false

  const later = () => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(ask, REFRESH_MS)
  }
  const ask = async () => {
    if (asking || stopped || parts.isHidden()) return
    clearTimeout(timer)
    asking = true
    const updates = await parts.fetchStatuses().catch(() => null)
    asking = false
    if (stopped) return
    if (updates) parts.onUpdate(updates)
    later()
  }
  const onVisibility = () => {
    if (parts.isHidden()) clearTimeout(timer)
    else void ask()
  }
  page.addEventListener('visibilitychange', onVisibility)
  later()
  return () => {
    stopped = true
    clearTimeout(timer)
    page.removeEventListener('visibilitychange', onVisibility)
  }
}

/** A product as the last refresh knows it; the same object when nothing is new. */
export function refreshed<Product extends StatusUpdateJson>(product: Product, update: StatusUpdateJson | undefined): Product {
  if (!update || sameState(product, update)) return product
  const { status, price, discount, discount_type, note, delivery_date } = update
  return { ...product, status, price, discount, discount_type, note, delivery_date }
}

/** Whether two answers, or a product and an answer, say the same. */
export function sameState(a: StatusUpdateJson, b: StatusUpdateJson): boolean {
  return (
    a.status === b.status &&
    a.price === b.price &&
    a.discount === b.discount &&
    a.discount_type === b.discount_type &&
    a.note === b.note &&
    a.delivery_date === b.delivery_date
  )
}

/** Address of the refresh: ids sorted, so that everybody who sees the same products asks the same. */
export function refreshUrl(ids: readonly number[], lang: string): string {
  return `/api/product-status-update?productIds=${[...new Set(ids)].sort((a, b) => a - b).join(',')}&lang=${lang}`
}
