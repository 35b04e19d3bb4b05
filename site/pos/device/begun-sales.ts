import { DAY_MS } from '#lib/format/time.ts'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Sale } from '../sale.ts'
import { noteStorageError } from './storage-state.ts'

// The begun sales of this device in IndexedDB, one for each tab and cashier. They survive the end of the browser.

export interface BegunSale {
  /** Cashier and tab. */
  id: string
  cashierId: number
  tab: string
  /** The last change, in milliseconds. */
  at: number
  sale: Sale
  /** Another tab has taken the sale: the tab that had it must not show it again. */
  isTaken?: boolean
}

/** Records of taken sales are removed after this time, in milliseconds. */
const TAKEN_MS = 7 * DAY_MS

interface BegunSchema extends DBSchema {
  sales: { key: string; value: BegunSale }
}

// A database of its own: a page of an earlier build cannot open the POS database in a newer version.
let opened: Promise<IDBPDatabase<BegunSchema>> | undefined

async function open(): Promise<IDBPDatabase<BegunSchema>> {
  return openDB<BegunSchema>('khamar-begun-sales', 1, {
    upgrade: (db) => void db.createObjectStore('sales', { keyPath: 'id' }),
    terminated: () => (opened = undefined),
  })
}

function begunDb() {
  opened ??= open()
  opened.catch(() => (opened = undefined))
  return opened
}

/** Takes the begun sales of a cashier for this tab, newest first: its own one, and those of tabs that are not open any more. */
export async function takeBegunSales(cashierId: number, tab: string, openTabs: ReadonlySet<string>): Promise<BegunSale[]> {
  const tx = (await begunDb()).transaction('sales', 'readwrite')
  const all = (await tx.store.getAll()).filter((begun) => begun.cashierId === cashierId)
  const own = all.filter((begun) => begun.tab === tab)
  const left = all.filter((begun) => begun.tab !== tab && !openTabs.has(begun.tab))
  const expired = left.filter(({ isTaken, at }) => isTaken && at < Date.now() - TAKEN_MS)
  const others = left.filter(({ isTaken }) => !isTaken)
  await Promise.all([
    ...[...own, ...expired].map(({ id }) => tx.store.delete(id)),
    ...others.map((begun) => tx.store.put({ ...begun, isTaken: true })),
    tx.done,
  ])
  return [...own, ...others].sort((a, b) => b.at - a.at)
}

/**
 * Stores the newest state of the sale of one tab and cashier; null deletes it. One write at a time, so that a burst of scans costs as
 * many writes as the device can do.
 */
export class BegunSaleWriter {
  readonly #owner: { id: string; cashierId: number; tab: string }
  #next: { sale: Sale | null; at: number } | null = null
  #isRunning = false
  /** The stored sale is deleted already. */
  #isEmpty = false

  constructor(cashierId: number, tab: string) {
    this.#owner = { id: `${cashierId}.${tab}`, cashierId, tab }
  }

  write(sale: Sale | null, at: number): void {
    this.#next = { sale, at }
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#next !== null) {
      const { sale, at } = this.#next
      this.#next = null
      await this.#store(sale, at).catch(noteStorageError)
    }
    this.#isRunning = false
  }

  async #store(sale: Sale | null, at: number): Promise<void> {
    if (sale === null && this.#isEmpty) return
    const db = await begunDb()
    this.#isEmpty = false
    if (sale === null) await db.delete('sales', this.#owner.id)
    else await db.put('sales', { ...this.#owner, at, sale })
    this.#isEmpty = sale === null
  }
}

/** The sale as that of a tab that has ended, which the opening page brings back. */
function ofEndedTab(begun: BegunSale): BegunSale {
  const tab = crypto.randomUUID()
  return { ...begun, id: `${begun.cashierId}.${tab}`, tab }
}

/** Stores a begun sale that was taken and could not be shown. This tab stores its own sale under its own id. */
export async function putBackBegunSale(begun: BegunSale): Promise<void> {
  await (await begunDb()).put('sales', ofEndedTab(begun))
}

/**
 * Moves the begun sale of a tab from one cashier to another. A sale that the other left in this tab becomes one of a tab that has ended, so
 * that the opening page brings it back.
 */
export async function moveBegunSale({ fromId, toId, tab }: { fromId: number; toId: number; tab: string }): Promise<void> {
  const tx = (await begunDb()).transaction('sales', 'readwrite')
  const [begun, left] = await Promise.all([tx.store.get(`${fromId}.${tab}`), tx.store.get(`${toId}.${tab}`)])
  if (left) await Promise.all([tx.store.delete(left.id), tx.store.put(ofEndedTab(left))])
  if (begun) await Promise.all([tx.store.delete(begun.id), tx.store.put({ ...begun, id: `${toId}.${tab}`, cashierId: toId })])
  await tx.done
}
