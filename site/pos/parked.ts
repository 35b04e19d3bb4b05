import { NONCASH_METHODS } from '#features/pos/rules.ts'
import { newSale, type Sale } from './sale.ts'

/** A held sale of this device, as entered; the shop does not have it, or has not said so. */
export interface ParkedSale {
  id: string
  name: string
  /** When it was parked, in milliseconds. */
  at: number
  sale: Sale
  /** It was sent without an answer: the shop may have it. */
  isSent?: boolean
}

/** Dispatched to the window after this tab has parked a sale by itself. Other tabs get the event `storage`. */
export const PARKED_EVENT = 'khamar:parked'

// One storage entry per parked sale: two tabs that park concurrently cannot overwrite each other.
const prefix = (cashierId: number) => `khamar.parked.${cashierId}.`

/** The parked sales of a cashier, oldest first. Unreadable entries are skipped. */
export function listParked(cashierId: number): ParkedSale[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix(cashierId)))
      .flatMap((key) => readParked(key) ?? [])
      .sort((a, b) => a.at - b.at || a.id.localeCompare(b.id))
  } catch {
    return []
  }
}

function readParked(key: string): ParkedSale | null {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as ParkedSale | null
    if (!stored || typeof stored.sale?.key !== 'string' || !Array.isArray(stored.sale.lines)) return null
    return { ...stored, sale: { ...newSale(), ...stored.sale } }
  } catch {
    return null
  }
}

/** Parks a sale; returns false, with no change, when the browser cannot store it. */
export function park(cashierId: number, name: string, sale: Sale, now = Date.now()): boolean {
  const id = crypto.randomUUID()
  try {
    localStorage.setItem(prefix(cashierId) + id, JSON.stringify({ id, name, at: now, sale } satisfies ParkedSale))
    return true
  } catch {
    return false
  }
}

/** Removes and returns a parked sale; null when another tab has taken it. */
export function takeParked(cashierId: number, id: string): ParkedSale | null {
  const parked = readParked(prefix(cashierId) + id)
  if (parked) localStorage.removeItem(prefix(cashierId) + id)
  return parked
}

/** Whether the sale has any entered data. */
export function isEntered(sale: Sale): boolean {
  const typed = [
    sale.phone,
    sale.name,
    ...NONCASH_METHODS.map((method) => sale[method]),
    sale.onAccount,
    sale.storeCredit ?? '',
    sale.discount,
    sale.cash ?? '',
    sale.address,
  ]
  return sale.lines.length > 0 || Boolean(sale.exchange) || typed.some((text) => text.trim() !== '')
}

/** Notes whether a held sale was sent; false when it is gone, or the browser cannot store it. */
export function markSent(cashierId: number, id: string, isSent: boolean): boolean {
  const parked = readParked(prefix(cashierId) + id)
  if (!parked) return false
  try {
    localStorage.setItem(prefix(cashierId) + id, JSON.stringify({ ...parked, isSent } satisfies ParkedSale))
    return true
  } catch {
    return false
  }
}
