// The identity of a browser tab. A duplicated tab copies sessionStorage, its id included; the Web Lock tells which tab is the first.

import { timeoutSignal } from '#lib/async/timeout-signal.ts'

const TAB_KEY = 'khamar.pos.tab'
const LOCK = 'khamar-pos-tab-'
/** A page that is left releases its lock within this time; then the reloaded page has it. */
const RELEASE_MS = 1500

export interface Tab {
  id: string
  /** Another open tab has the same sessionStorage: this tab is its copy. */
  isDuplicate: boolean
}

let current: Promise<Tab> | undefined

/** Identifies this tab and holds its lock until the page is left. A reload keeps the id. */
export function currentTab(): Promise<Tab> {
  current ??= identify()
  return current
}

/** The ids of all open tabs of the POS. */
export async function openTabs(): Promise<ReadonlySet<string>> {
  const { held = [] } = await navigator.locks.query()
  return new Set(held.flatMap(({ name }) => (name?.startsWith(LOCK) ? [name.slice(LOCK.length)] : [])))
}

async function identify(): Promise<Tab> {
  const stored = readStored()
  if (stored !== null && (await hold(stored))) return { id: stored, isDuplicate: false }
  const id = crypto.randomUUID()
  try {
    sessionStorage.setItem(TAB_KEY, id)
  } catch {
    // Forbidden storage: a reload is another tab.
  }
  await hold(id)
  return { id, isDuplicate: stored !== null }
}

function readStored(): string | null {
  try {
    return sessionStorage.getItem(TAB_KEY)
  } catch {
    return null
  }
}

/** Takes the lock of a tab for as long as the page is open; false when another page holds it. */
function hold(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const held = () => {
      resolve(true)
      return new Promise<never>(() => {})
    }
    navigator.locks.request(LOCK + id, { signal: timeoutSignal(RELEASE_MS) }, held).catch(() => resolve(false))
  })
}
