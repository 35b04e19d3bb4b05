import { type BegunSale, BegunSaleWriter, putBackBegunSale, takeBegunSales } from './device/begun-sales.ts'
import { readOutbox } from './device/outbox.ts'
import type { QueuedSale } from './device/outbox-rules.ts'
import { noteStorageError } from './device/storage-state.ts'
import { currentTab, openTabs } from './device/tab.ts'
import { isEntered, holdOnDevice } from './held-on-device.ts'
import { newSale, type Sale } from './sale.ts'
import type { SaleStore } from './sale-store.ts'
import type { DatedSale } from './session-sale.ts'

interface Recovery {
  store: SaleStore
  cashierId: number
  /** The sale read from sessionStorage. */
  restored: DatedSale | null
  /** The name of a sale that is held because the screen has another. */
  nameOf: (sale: Sale, at: number) => string
}

/**
 * Completes the opening of the POS: the key of the sale belongs to this tab alone, and begun sales of tabs that no longer exist come back.
 * The newest one is shown if the screen is empty, the others are held. Returns whether there were any.
 */
export async function recoverSale({ store, cashierId, restored, nameOf }: Recovery): Promise<boolean> {
  const tab = await currentTab()
  const queued = await readOutbox()
  store.set((now) => (now.key === restored?.sale.key ? withFreeKey(now, queued, tab.isDuplicate) : now))
  const open = await openTabs()
  const taken = await takeBegunSales(cashierId, tab.id, open).catch((): BegunSale[] => [])
  // While this tab was at another page, another tab has taken its sale.
  const isGone = taken.some((one) => one.isTaken && one.sale.key === restored?.sale.key)
  if (isGone) store.set((now) => (now === restored?.sale ? newSale() : now))
  const usable = taken.filter(({ sale, isTaken }) => !isTaken && isEntered(sale) && !queued.some(({ key }) => key === sale.key))
  let isRecovered = false
  for (const one of usable) {
    const now = store.get()
    const isOwn = one.tab === tab.id && restored !== null
    // After a crash sessionStorage may lack the last changes, or the whole sale. One that the cashier goes on with stays as it is.
    if (isOwn && (one.at <= restored.at || (now !== restored.sale && now.key === one.sale.key))) continue
    const isShown = (isOwn && now === restored.sale) || !isEntered(now)
    if (isShown) store.set({ ...newSale(), ...one.sale })
    else if (!holdOnDevice(cashierId, nameOf(one.sale, one.at), one.sale, one.at)) await putBackBegunSale(one).catch(noteStorageError)
    isRecovered ||= !isOwn || !isShown
  }
  store.persist(new BegunSaleWriter(cashierId, tab.id))
  return isRecovered
}

/** The sale under a key that no other tab and no stored sale uses. A sale that is already in the outbox is not shown once more. */
export function withFreeKey(sale: Sale, queued: readonly QueuedSale[], isDuplicate: boolean): Sale {
  const stored = queued.find(({ key }) => key === sale.key)
  // The outbox has an edited sale as it was before.
  if (stored && sale.isUnsent) return stored.state === 'sold' || isDuplicate ? newSale() : sale
  if (stored && (stored.sale === null || isSameEntry(stored.sale, sale))) return newSale()
  return stored || isDuplicate ? { ...sale, key: crypto.randomUUID(), approval: null } : sale
}

const isSameEntry = (one: Sale, other: Sale) => JSON.stringify({ ...one, approval: null }) === JSON.stringify({ ...other, approval: null })
