import { allSeen, type News, type NewsKind, type SeenNews } from '#features/news/rules.ts'

// What a user has seen is stored on the device, for all tabs. Several accounts on a device have their own.

/** Of each kind: what was opened, and what was announced by a toast. */
export interface SeenState {
  seen: Partial<Record<NewsKind, SeenNews>>
  announced: Partial<Record<NewsKind, SeenNews>>
}

/** The last answer, with which the next page begins. */
export interface LastNews {
  version: string
  news: Partial<News>
}

export const seenKey = (userId: number) => `khamar.news-seen.${userId}`
const lastKey = (userId: number) => `khamar.news.${userId}`

/** The stored state; empty where storage is forbidden or contains something else. */
export function readSeen(userId: number): SeenState {
  const stored = read(localStorage, seenKey(userId)) as Partial<SeenState> | null
  return { seen: onlySeen(stored?.seen), announced: onlySeen(stored?.announced) }
}

export function writeSeen(userId: number, state: SeenState): void {
  write(localStorage, seenKey(userId), state)
}

export function readLast(userId: number): LastNews | null {
  const stored = read(sessionStorage, lastKey(userId)) as LastNews | null
  const isWhole = typeof stored?.version === 'string' && typeof stored.news === 'object' && stored.news !== null
  return isWhole && Object.values(stored.news).every(isIds) ? stored : null
}

export function writeLast(userId: number, last: LastNews): void {
  write(sessionStorage, lastKey(userId), last)
}

/** The ids of a kind that were seen. On a new device all existing ones, so that it begins without a backlog. */
export function seenOf(states: Partial<Record<NewsKind, SeenNews>>, kind: NewsKind, ids: readonly number[]): SeenNews {
  return states[kind] ?? allSeen(ids)
}

function onlySeen(stored: unknown): Partial<Record<NewsKind, SeenNews>> {
  if (typeof stored !== 'object' || stored === null) return {}
  const isSeen = (value: unknown) => {
    const { ids, floor } = (value ?? {}) as Partial<SeenNews>
    return isIds(ids) && Number.isSafeInteger(floor)
  }
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => isSeen(value)))
}

function isIds(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(Number.isSafeInteger)
}

function read(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function write(storage: Storage, key: string, value: object): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    // Without storage, the news count for this page alone.
  }
}
