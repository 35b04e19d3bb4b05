import { NONCASH_METHODS } from '#features/pos/rules.ts'
import { newSale, type Sale } from './sale.ts'

/** A held sale of this device, as entered; the shop does not have it, or has not said so. */
export interface DeviceHeldSale {
  id: string
  name: string
  /** When it was held, in milliseconds. */
  at: number
  sale: Sale
  /** It was sent without an answer: the shop may have it. */
  isSent?: boolean
}

/** Dispatched to the window after this tab has held a sale by itself. Other tabs get the event `storage`. */
export const HELD_EVENT = 'khamar:held'

// One storage entry per held sale: two tabs that hold concurrently cannot overwrite each other. Devices store sales under this name.
const prefix = (cashierId: number) => `khamar.parked.${cashierId}.`

/** The held sales of a cashier, oldest first. Unreadable entries are skipped. */
export function listHeldOnDevice(cashierId: number): DeviceHeldSale[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix(cashierId)))
      .flatMap((key) => readHeldOnDevice(key) ?? [])
      .sort((a, b) => a.at - b.at || a.id.localeCompare(b.id))
  } catch {
    return []
  }
}

function readHeldOnDevice(key: string): DeviceHeldSale | null {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as DeviceHeldSale | null
    if (!stored || typeof stored.sale?.key !== 'string' || !Array.isArray(stored.sale.lines)) return null
    return { ...stored, sale: { ...newSale(), ...stored.sale } }
  } catch {
    return null
  }
}

/** Holds a sale; returns false, with no change, when the browser cannot store it. */
export function holdOnDevice(cashierId: number, name: string, sale: Sale, now = Date.now()): boolean {
  const id = crypto.randomUUID()
  try {
    localStorage.setItem(prefix(cashierId) + id, JSON.stringify({ id, name, at: now, sale } satisfies DeviceHeldSale))
    return true
  } catch {
    return false
  }
}

/** Removes and returns a held sale; null when another tab has taken it. */
export function takeHeldOnDevice(cashierId: number, id: string): DeviceHeldSale | null {
  const held = readHeldOnDevice(prefix(cashierId) + id)
  if (held) localStorage.removeItem(prefix(cashierId) + id)
  return held
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
  const held = readHeldOnDevice(prefix(cashierId) + id)
  if (!held) return false
  try {
    localStorage.setItem(prefix(cashierId) + id, JSON.stringify({ ...held, isSent } satisfies DeviceHeldSale))
    return true
  } catch {
    return false
  }
}
