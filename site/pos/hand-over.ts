import { within } from '#lib/async/within.ts'
import { clearPosCache } from '#features/pos/page-cache.ts'
import { moveBegunSale } from './device/begun-sales.ts'
import { currentTab } from './device/tab.ts'
import { STORAGE_TIMEOUT_MS } from './device/storage-state.ts'
import { assignSessionSale } from './session-sale.ts'

/**
 * Gives the sale on the screen of this tab to another cashier, who sells it in his own shift. Its stored copy of the former cashier is
 * removed, so that it cannot come back and be sold twice. Unsent sales keep their cashier and shift. The cached page of the former cashier is
 * removed first: on a slow line it would open, and sell for that one.
 */
export async function handOverSale(fromId: number, toId: number): Promise<void> {
  await clearPosCache().catch(() => {})
  assignSessionSale(toId)
  announceSwitch(toId)
  const { id } = await currentTab()
  await within(moveBegunSale({ fromId, toId, tab: id }), STORAGE_TIMEOUT_MS).catch((error: unknown) =>
    console.warn('POS: the begun sale cannot be moved', error),
  )
}

const SWITCHED = 'khamar.pos.cashier'

/** Tells the other tabs of this device that their session is another cashier's. */
function announceSwitch(cashierId: number): void {
  try {
    localStorage.setItem(SWITCHED, `${cashierId} ${Date.now()}`)
  } catch {
    // Forbidden storage: the other tabs notice at their next call.
  }
}

/** Calls back when another tab has switched the cashier. Returns the function that stops it. */
export function onSwitchElsewhere(callback: () => void): () => void {
  const listen = ({ key }: StorageEvent) => key === SWITCHED && callback()
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}
