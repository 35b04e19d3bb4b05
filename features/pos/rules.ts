// What a sale at the counter costs, and how it is paid.
//
// A line is its price times a quantity with at most two decimals; scanning it again makes it one more. Cash fills itself with what
// bKash and bank leave, until somebody types it. Change comes out of the cash only. What is applied must be the total, within one
// poisha, and is then booked as exactly the total.
import { MAX_QUANTITY_MILLI } from '#features/catalog/quantity-rules.ts'
import type { DeliveryGroup, Unit } from '#features/catalog/types.ts'
import { lineTotal } from '#features/pricing/rules.ts'
import { poisha, type Poisha, sum, ZERO } from '#lib/format/money.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'

/** How far what was paid may be from the total: one poisha. */
export const PAYMENT_TOLERANCE = 1
export const PHONE_LENGTH = 11
/** Milliseconds, as specified. */
export const SEARCH_DEBOUNCE = 300
export const SCAN_LOCK = 500
export const SCAN_GAP = 150
export const TOAST_TIME = 3000
export const MIN_TYPED = 2
export const MIN_SCANNED = 3

export interface PosLine {
  id: number
  name: string
  unit: Unit
  /** A unit after its discount, or as somebody has set it. */
  price: Poisha
  /** What the shop asks, where another price is set. */
  listPrice?: Poisha
  /** Held back: a supervisor must approve. */
  isHeld?: boolean
  /** As typed. */
  quantity: string
  image: string | null
  isAnimal: boolean
  group: DeliveryGroup
  /** What the product itself charges for delivery. */
  shipping: Poisha
}

/** A quantity as typed, in Latin or Bengali digits with at most two decimals, in thousandths; null for anything else, zero included. */
export function readPosQuantity(typed: string): number | null {
  const text = latinDigits(typed.trim())
  if (!/^(\d{1,6}(\.\d{0,2})?|\.\d{1,2})$/.test(text)) return null
  const milli = Math.round(Number(text) * 1000)
  return milli > 0 && milli <= MAX_QUANTITY_MILLI ? milli : null
}

/** Whether a text may stand in a quantity field while it is being typed. */
export function canBeTyped(text: string): boolean {
  return /^\d{0,6}(\.\d{0,2})?$/.test(latinDigits(text))
}

/** Adds so much of a product, in thousandths: a line that is there grows by it, an animal stays one. */
export function addProducts(lines: readonly PosLine[], product: Omit<PosLine, 'quantity'>, milli = 1000): PosLine[] {
  const there = lines.find((line) => line.id === product.id)
  if (!there) return [...lines, { ...product, quantity: String(milli / 1000) }]
  const quantity = there.isAnimal ? there.quantity : stepQuantity(there.quantity, milli / 1000)
  return lines.map((line) => (line === there ? setPriceOf({ ...line, ...product, price: line.price, quantity }, product.price) : line))
}

/** A line at what the shop asks now; a price that somebody has set stays. */
export function setPriceOf<Line extends Pick<PosLine, 'price' | 'listPrice'>>(line: Line, listPrice: Poisha): Line {
  return { ...line, price: isPriceSet(line) ? line.price : listPrice, ...(line.listPrice === undefined ? {} : { listPrice }) }
}

/** Whether somebody has set another price than the shop's. */
export function isPriceSet({ price, listPrice }: Pick<PosLine, 'price' | 'listPrice'>): boolean {
  return listPrice !== undefined && listPrice !== price
}

/** So much more or less, never below zero. */
export function stepQuantity(typed: string, by: number): string {
  const milli = readPosQuantity(typed) ?? 0
  const next = Math.max(0, Math.min(MAX_QUANTITY_MILLI, milli + Math.round(by * 1000)))
  return String(next / 1000)
}

/** What a line comes to; zero while its quantity cannot be read. */
export function posLineTotal(line: PosLine): Poisha {
  return lineTotal(line.price, readPosQuantity(line.quantity) ?? 0)
}

export interface PosSums {
  subtotal: Poisha
  shipping: Poisha
  discount: Poisha
  /** May be below zero, when more is taken off than there is. */
  total: Poisha
}

export function posSums(lines: readonly PosLine[], shipping: Poisha, discount: Poisha): PosSums {
  const subtotal = sum(lines.map(posLineTotal))
  return { subtotal, shipping, discount, total: poisha(subtotal + shipping - discount) }
}

/** The cash that fills itself: what bKash and bank leave of the total, never below zero. */
export function autoCash(total: Poisha, bkash: Poisha, bank: Poisha): Poisha {
  return poisha(Math.max(0, total - bkash - bank))
}

export const PAYMENT_METHODS = ['cash', 'bkash', 'bank'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** What lies on the counter. */
export interface Tender {
  cash: Poisha
  bkash: Poisha
  bank: Poisha
}

export const tenderedOf = ({ cash, bkash, bank }: Tender): Poisha => sum([cash, bkash, bank])

/** The change that goes back: what was put down too much, out of the cash. */
export function changeOf(tender: Tender, total: Poisha): Poisha {
  return poisha(Math.max(0, Math.min(tender.cash, tenderedOf(tender) - total)))
}

export type TenderProblem = 'does-not-match' | 'change-not-from-cash' | 'paid-differs'

/**
 * What is booked for each means, adding up to exactly the total; a poisha that is allowed to be over or missing lies in the largest.
 * `paid` is what the device says was put down, if it does.
 */
export function applyTender(
  tender: Tender,
  change: Poisha,
  total: Poisha,
  paid: Poisha | null = null,
): { ok: true; applied: Tender } | { ok: false; problem: TenderProblem } {
  const tendered = tenderedOf(tender)
  if (change > tender.cash) return { ok: false, problem: 'change-not-from-cash' }
  if (Math.abs(tendered - change - total) > PAYMENT_TOLERANCE) return { ok: false, problem: 'does-not-match' }
  if (paid !== null && Math.abs(paid - tendered) > PAYMENT_TOLERANCE) return { ok: false, problem: 'paid-differs' }
  const applied = { ...tender, cash: poisha(tender.cash - change) }
  const largest = PAYMENT_METHODS.reduce((most, means) => (applied[means] > applied[most] ? means : most))
  applied[largest] = poisha(applied[largest] + total - tenderedOf(applied))
  return { ok: true, applied }
}

/** A phone as the till takes it: eleven digits, or with the country's code; null for anything else, ten digits included. */
export function readPosPhone(typed: string): string | null {
  const phone = normalizePhone(typed)
  return phone !== null && latinDigits(typed).replace(/\D/g, '').length >= PHONE_LENGTH ? phone : null
}

/** What of a day's sales, less what went back, the ledger does not say: zero, unless the admin has changed an order since. */
export function differenceToLedger(day: { total: Poisha; refunds: Poisha; means: readonly { taken: Poisha; given: Poisha }[] }): number {
  return day.total - day.refunds - day.means.reduce((net, { taken, given }) => net + taken - given, 0)
}

/** Notes and coins as they lie in a drawer, in taka. */
export const DENOMINATIONS = [1000, 500, 200, 100, 50, 20, 10, 5, 2, 1] as const

/** What so many of each note come to; what is no count counts nothing. */
export function sumDenominations(counts: Readonly<Record<string, string>>): Poisha {
  const of = (note: number) => (/^\d{1,5}$/.test(latinDigits(counts[note] ?? '').trim()) ? Number(latinDigits(counts[note]!.trim())) : 0)
  return poisha(DENOMINATIONS.reduce((total, note) => total + note * 100 * of(note), 0))
}

export type SaleProblem = 'empty' | 'quantity' | 'phone' | 'discount' | 'total' | 'payments'

/** Why the sale cannot be placed yet, the first thing first; null when it can. */
export function saleProblem(lines: readonly PosLine[], phone: string, sums: PosSums, tender: Tender | null): SaleProblem | null {
  if (lines.length === 0) return 'empty'
  if (lines.some((line) => readPosQuantity(line.quantity) === null)) return 'quantity'
  if (sums.discount > sums.subtotal) return 'discount'
  if (sums.total <= ZERO) return 'total'
  if (tender === null || !applyTender(tender, changeOf(tender, sums.total), sums.total).ok) return 'payments'
  return readPosPhone(phone) === null ? 'phone' : null
}
