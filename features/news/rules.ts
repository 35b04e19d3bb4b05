// The news in the admin, and which of them a member of staff has seen (docs/domain.md, decision 62).
import type { Permission } from '#features/auth/permissions.ts'

/** Each kind with the permission to see it, and its list in the admin. */
export const NEWS = {
  orders: { permission: 'orders.read', href: '/admin/orders' },
  advances: { permission: 'orders.read', href: '/admin/advances' },
  bookings: { permission: 'bookings.read', href: '/admin/bookings' },
  sms: { permission: 'sms.read', href: '/admin/sms' },
  // All staff may read reviews. Their news go to those who may publish them.
  reviews: { permission: 'catalog.write', href: '/admin/reviews' },
  'area-requests': { permission: 'bookings.read', href: '/admin/area-requests' },
} as const satisfies Record<string, { permission: Permission; href: string }>

export type NewsKind = keyof typeof NEWS

export const NEWS_KINDS = Object.keys(NEWS) as NewsKind[]

/** Ids that are read of each kind. Counts stop here: badges show "50+". */
export const MAX_NEWS_IDS = 50

/** The newest ids of each kind. */
export type News = Record<NewsKind, number[]>

/** The kinds that a user may see. */
export function newsKindsFor(can: (permission: Permission) => boolean): NewsKind[] {
  return NEWS_KINDS.filter((kind) => can(NEWS[kind].permission))
}

/** What was seen of a kind: these ids, and all up to `floor`. */
export interface SeenNews {
  ids: readonly number[]
  floor: number
}

/** What was queued as a push message, by kind. A kind without an entry has none yet. */
export type Pushed = Partial<Record<NewsKind, SeenNews>>

/** The ids that are not seen. An id may appear below a seen one: transactions end in another sequence, and old SMS fail late. */
export function unseenIds(ids: readonly number[], seen: SeenNews): number[] {
  const known = new Set(seen.ids)
  return ids.filter((id) => id > seen.floor && !known.has(id))
}

/** All of these ids are seen. What lies below a full list is older, and is not new when the list gets shorter. */
export function allSeen(ids: readonly number[]): SeenNews {
  return { ids, floor: ids.length < MAX_NEWS_IDS ? 0 : Math.min(...ids) - 1 }
}

/** One more id is seen, such as that of an order that was opened. Ids that left the list are dropped. */
export function oneSeen(id: number, ids: readonly number[], seen: SeenNews): SeenNews {
  const listed = new Set(ids)
  return { floor: seen.floor, ids: [...seen.ids.filter((one) => one !== id && listed.has(one)), id] }
}

/** Where new ids of a kind are looked at: a single order on its page, everything else in its list. */
export function newsHref(kind: NewsKind, ids: readonly number[]): string {
  return kind === 'orders' && ids.length === 1 ? `/admin/orders/update/${ids[0]}` : NEWS[kind].href
}

/** The kind whose list this path is, and the single order that it shows. */
export function openedNews(path: string): { kind: NewsKind; id?: number } | null {
  const [, order] = /^\/admin\/orders\/update\/(\d{1,15})$/.exec(path) ?? []
  if (order) return { kind: 'orders', id: Number(order) }
  const kind = NEWS_KINDS.find((one) => NEWS[one].href === path)
  return kind ? { kind } : null
}
