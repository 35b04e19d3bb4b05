import { useSyncExternalStore } from 'react'
import type { NewsKind } from '#features/news/rules.ts'

/** How many of each kind were not seen. */
export type NewsCounts = Partial<Record<NewsKind, number>>

const NONE: NewsCounts = {}
let counts = NONE
const listeners = new Set<() => void>()

export function setNewsCounts(next: NewsCounts): void {
  counts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The counts of the page; none before the first answer. */
export function useNewsCounts(): NewsCounts {
  return useSyncExternalStore(
    subscribe,
    () => counts,
    () => NONE,
  )
}

const SOUND = 'khamar.news-sound'

/** Whether this device plays a sound. Off until the user switches it on. */
export function hasNewsSound(): boolean {
  try {
    return localStorage.getItem(SOUND) === 'on'
  } catch {
    return false
  }
}

export function setNewsSound(isOn: boolean): void {
  try {
    localStorage.setItem(SOUND, isOn ? 'on' : 'off')
  } catch {
    // Without storage the device stays silent.
  }
}

const PUSH = 'khamar.news-push'

/** Whether this user has switched on the notifications of this device. */
export function hasPush(userId: number): boolean {
  try {
    return localStorage.getItem(PUSH) === String(userId)
  } catch {
    return false
  }
}

export function setPush(userId: number, isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(PUSH, String(userId))
    else localStorage.removeItem(PUSH)
  } catch {
    // Without storage the switch looks off on the next page.
  }
}
