import { newSale, type Sale } from './sale.ts'
import { SALE_CASHIER_KEY, SALE_KEY } from '#features/pos/storage-names.ts'

// The sale of this tab in sessionStorage, which is read at once when the page is reloaded.

/** A sale, and the time of its last change in milliseconds. */
export interface DatedSale {
  sale: Sale
  at: number
}

/** The sale of this cashier in this tab; null without one. The sale of another cashier is removed. */
export function readSessionSale(cashierId: number): DatedSale | null {
  try {
    const isOwn = sessionStorage.getItem(SALE_CASHIER_KEY) === String(cashierId)
    sessionStorage.setItem(SALE_CASHIER_KEY, String(cashierId))
    if (!isOwn) sessionStorage.removeItem(SALE_KEY)
    const stored = JSON.parse(sessionStorage.getItem(SALE_KEY) ?? 'null') as (Partial<Sale> & { at?: number }) | null
    if (!stored || typeof stored.key !== 'string' || !Array.isArray(stored.lines)) return null
    const { at = 0, ...sale } = stored
    return { sale: { ...newSale(), ...sale }, at }
  } catch {
    // Broken or forbidden storage: start a new sale.
  }
  return null
}

export function writeSessionSale(sale: Sale, at: number): void {
  try {
    sessionStorage.setItem(SALE_KEY, JSON.stringify({ ...sale, at }))
  } catch {
    // Full or forbidden storage: the sale continues and does not survive a reload.
  }
}

/** The sale of this tab belongs to this cashier from now on. */
export function assignSessionSale(cashierId: number): void {
  try {
    sessionStorage.setItem(SALE_CASHIER_KEY, String(cashierId))
  } catch {
    // Forbidden storage: the sale does not survive the reload.
  }
}
