import { takeExchange } from './exchange.ts'
import { isEntered, holdOnDevice, HELD_EVENT } from './held-on-device.ts'
import { newSale, type Sale } from './sale.ts'
import type { SaleStore } from './sale-store.ts'

/**
 * Begins the sale of an exchange that the return page handed over. A sale on the screen is held first; `not-held` where the browser
 * cannot store it: then it stays and the exchange is dropped.
 */
export function beginExchange(
  store: SaleStore,
  cashierId: number,
  nameOf: (sale: Sale, at: number) => string,
): 'none' | 'begun' | 'not-held' {
  const begun = takeExchange()
  if (begun === null) return 'none'
  const now = store.get()
  const at = Date.now()
  // A begun exchange is replaced: it was changed at the return page.
  const isReplaced = now.exchange?.orderId === begun.exchange.orderId
  if (isReplaced) {
    store.set({ ...now, exchange: begun.exchange, approval: null })
    return 'begun'
  }
  if (isEntered(now)) {
    if (!holdOnDevice(cashierId, nameOf(now, at), now, at)) return 'not-held'
    dispatchEvent(new Event(HELD_EVENT))
  }
  store.set({ ...newSale(), exchange: begun.exchange, phone: begun.phone, name: begun.name })
  return 'begun'
}
