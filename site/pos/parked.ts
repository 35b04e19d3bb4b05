import { posSums } from '#features/pos/rules.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'
import { newSale, type Sale, typedAmount } from './sale.ts'

/** A sale that waits at this device, as its cashier left it. */
export interface ParkedSale {
  id: string
  name: string
  /** When it was parked, in milliseconds. */
  at: number
  sale: Sale
}

// Each parked sale has an entry of its own: two tabs that park at once cannot write over one another.
const prefix = (cashierId: number) => `khamar.parked.${cashierId}.`

/** The parked sales of a cashier, the oldest first. What cannot be read is left alone. */
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
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as ParkedSale | null
    if (!kept || typeof kept.sale?.key !== 'string' || !Array.isArray(kept.sale.lines)) return null
    return { ...kept, sale: { ...newSale(), ...kept.sale } }
  } catch {
    return null
  }
}

/** Parks a sale; false when the device keeps nothing, and then nothing has changed. */
export function park(cashierId: number, name: string, sale: Sale, now: number): boolean {
  const id = crypto.randomUUID()
  try {
    localStorage.setItem(prefix(cashierId) + id, JSON.stringify({ id, name, at: now, sale } satisfies ParkedSale))
    return true
  } catch {
    return false
  }
}

/** Takes a parked sale out of the list; null when another tab has done so. */
export function takeParked(cashierId: number, id: string): ParkedSale | null {
  const parked = readParked(prefix(cashierId) + id)
  if (parked) localStorage.removeItem(prefix(cashierId) + id)
  return parked
}

/** Whether anything has been entered that would be a pity to lose. */
export function isEntered(sale: Sale): boolean {
  const typed = [sale.phone, sale.name, sale.bkash, sale.bank, sale.discount, sale.cash ?? '', sale.address]
  return sale.lines.length > 0 || typed.some((text) => text.trim() !== '')
}

/** What a parked sale came to when it was parked. */
export function parkedSum({ sale }: ParkedSale): Poisha {
  return posSums(sale.lines, ZERO, typedAmount(sale.discount) ?? ZERO).total
}
