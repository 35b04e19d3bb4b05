// Rules of a POS sale: lines, sums, and payment.
//
// A line is its price times a quantity with at most two decimals; scanning it again adds one, or the smallest pack. Cash defaults to the
// rest after the other methods, until it is typed. Change comes out of the cash only. The payments must match the total within one poisha,
// and are booked as exactly the total.
import { MAX_NOTE_COUNT_DIGITS } from './limits.ts'
import { isPossibleQuantity, MAX_QUANTITY_MILLI, minQuantity } from '#features/catalog/quantity-rules.ts'
import type { DeliveryGroup, Unit } from '#features/catalog/types.ts'
import { lineTotal } from '#features/catalog/shown-price-rules.ts'
import { poisha, type Poisha, sum, ZERO } from '#lib/format/money.ts'
import { latinDigits, toMilli } from '#lib/format/numbers.ts'
import { normalizePhone, PHONE_LENGTH } from '#lib/format/phone.ts'

/** The maximum difference between payments and total: one poisha. */
export const PAYMENT_TOLERANCE = 1
/** Milliseconds, as specified. */
export const SEARCH_DEBOUNCE = 300
export const SCAN_LOCK = 500
export const SCAN_GAP = 150
export const TOAST_TIME = 3000
/** How long a product is looked up at the shop, in milliseconds. A sale with a scanned product waits for it. */
export const LOOKUP_TIMEOUT = 5000
/** Characters of a scanned code, as specified. */
export const MIN_SCANNED = 3

export interface PosLine {
  id: number
  name: string
  unit: Unit
  /** Price of a unit after its discount, or as set manually. */
  price: Poisha
  /** The list price, where another price is set. */
  listPrice?: Poisha
  /** On hold: a supervisor must approve. */
  isHeld?: boolean
  /** As typed. */
  quantity: string
  image: string | null
  isAnimal: boolean
  group: DeliveryGroup
  /** The product's own delivery charge. */
  shipping: Poisha
  /** The product's own delivery date, as far as the device knows it. */
  deliveryOn?: string | null | undefined
  /** Pack sizes in thousandths; absent or empty: no packs. */
  sizesMilli?: readonly number[]
  /** The known stock in thousandths; null or absent: not counted, or not known. */
  stockMilli?: number | null
  /** A discount on this line as typed: taka, or a percentage. Absent: no field for it. */
  discount?: string | undefined
  /** A note as typed, for the receipt. Absent: no field for it. */
  note?: string | undefined
}

/** A number with at most so many decimals. */
const QUANTITY = { 2: /^(\d{1,6}(\.\d{0,2})?|\.\d{1,2})$/, 3: /^(\d{1,6}(\.\d{0,3})?|\.\d{1,3})$/ }

/**
 * A typed quantity in thousandths: Latin or Bengali digits, at most two decimals after a point or a comma, or three after a point.
 * Quantities have no grouping commas. Null for anything else, zero included.
 */
export function readPosQuantity(typed: string, decimals: keyof typeof QUANTITY = 2): number | null {
  const text = latinDigits(typed.trim()).replace(/,(?=\d{0,2}$)/, '.')
  if (!QUANTITY[decimals].test(text)) return null
  const milli = toMilli(Number(text))
  return milli > 0 && milli <= MAX_QUANTITY_MILLI ? milli : null
}

/** The decimals of a product's quantities: three where a pack has them, such as 0.125 kg. */
const decimalsOf = (sizesMilli: readonly number[] = []) => (sizesMilli.some((milli) => milli % 10 !== 0) ? 3 : 2)

/** The quantity of a line in thousandths; null when it is unreadable. */
export const lineQuantity = ({ quantity, sizesMilli }: Pick<PosLine, 'quantity' | 'sizesMilli'>): number | null =>
  readPosQuantity(quantity, decimalsOf(sizesMilli))

/** Whether the POS sells this quantity of a product: at most two decimals, unless a pack has three. */
export const hasPosDecimals = (milli: number, sizesMilli: readonly number[]): boolean => milli % 10 === 0 || decimalsOf(sizesMilli) === 3

export type QuantityProblem = 'unreadable' | 'over-limit' | 'whole-only' | 'packs-only'

/** A whole number or decimal of at least five digits. */
const IS_LARGE = /^[1-9]\d{4,}([.,]\d*)?$/

/** Why the quantity of a line cannot be sold, by the server's own rule; null when it can. The stock is not checked. */
export function quantityProblem(line: Pick<PosLine, 'quantity' | 'isAnimal' | 'sizesMilli' | 'unit'>): QuantityProblem | null {
  const milli = lineQuantity(line)
  if (milli === null) return IS_LARGE.test(latinDigits(line.quantity.trim())) ? 'over-limit' : 'unreadable'
  const sizesMilli = line.sizesMilli ?? []
  if (isPossibleQuantity(milli, { isUnique: line.isAnimal, sizesMilli, unit: line.unit })) return null
  return sizesMilli.length > 0 ? 'packs-only' : 'whole-only'
}

/**
 * The stock that is left for a line, in thousandths, when the line needs more; null when there is enough, or the stock is not known.
 * `unsentMilli`: what this device has sold of the product and not sent yet. The server may know newer stock, so this only warns.
 */
export function stockShortage(line: Pick<PosLine, 'quantity' | 'sizesMilli' | 'stockMilli'>, unsentMilli: number): number | null {
  if (line.stockMilli === null || line.stockMilli === undefined) return null
  const left = Math.max(0, line.stockMilli - unsentMilli)
  return (lineQuantity(line) ?? 0) > left ? left : null
}

/** The quantity that one scan adds, and one step: a unit, or the smallest pack. */
export const stepMilli = (sizesMilli: readonly number[] | undefined) => minQuantity(sizesMilli ?? [])

/** Adds a quantity of a product, in thousandths: an existing line grows by it, an animal stays one. */
export function addProducts(
  lines: readonly PosLine[],
  product: Omit<PosLine, 'quantity'>,
  milli = stepMilli(product.sizesMilli),
): PosLine[] {
  const existing = lines.find((line) => line.id === product.id)
  if (!existing) return [...lines, { ...product, quantity: String(milli / 1000) }]
  const quantity = existing.isAnimal ? existing.quantity : stepQuantity({ ...existing, ...product }, milli / 1000)
  return lines.map((line) => (line === existing ? setPriceOf({ ...line, ...product, price: line.price, quantity }, product.price) : line))
}

/** Sets the list price of a line; a manually set price stays. */
export function setPriceOf<Line extends Pick<PosLine, 'price' | 'listPrice'>>(line: Line, listPrice: Poisha): Line {
  return { ...line, price: isPriceSet(line) ? line.price : listPrice, ...(line.listPrice === undefined ? {} : { listPrice }) }
}

/** Whether the price is set manually. */
export function isPriceSet({ price, listPrice }: Pick<PosLine, 'price' | 'listPrice'>): boolean {
  return listPrice !== undefined && listPrice !== price
}

/** The quantity changed by a step, never below zero. */
export function stepQuantity(line: Pick<PosLine, 'quantity' | 'sizesMilli'>, by: number): string {
  const milli = lineQuantity(line) ?? 0
  const next = Math.max(0, Math.min(MAX_QUANTITY_MILLI, milli + toMilli(by)))
  return String(next / 1000)
}

/** The total of a line; zero while its quantity is unreadable. */
export function posLineTotal(line: PosLine): Poisha {
  return lineTotal(line.price, lineQuantity(line) ?? 0)
}

export interface PosSums {
  subtotal: Poisha
  shipping: Poisha
  discount: Poisha
  total: Poisha
  /** The discount is unreadable or more than the subtotal; it counts as zero. */
  isDiscountWrong: boolean
}

/** The sums of a sale. `typedDiscount`: the whole discount, null when it is unreadable. */
export function posSums(lines: readonly PosLine[], shipping: Poisha, typedDiscount: Poisha | null): PosSums {
  const subtotal = sum(lines.map(posLineTotal))
  const isDiscountWrong = typedDiscount === null || typedDiscount > subtotal
  const discount = isDiscountWrong ? ZERO : typedDiscount
  return { subtotal, shipping, discount, total: poisha(subtotal + shipping - discount), isDiscountWrong }
}

/** The default cash: the rest of the total after the other methods, never below zero. */
export function autoCash(total: Poisha, ...others: readonly Poisha[]): Poisha {
  return poisha(Math.max(0, total - sum(others)))
}

const STANDARD_NONCASH = ['bkash', 'bank'] as const
/** The methods that every shop has. */
export const STANDARD_METHODS = ['cash', ...STANDARD_NONCASH] as const
/** The methods that a shop switches on (setting `pos_methods`). */
export const EXTRA_METHODS = ['nagad', 'rocket', 'card'] as const
export const PAYMENT_METHODS = [...STANDARD_METHODS, ...EXTRA_METHODS] as const
/** The methods of a receipt, in its order: also the value of an exchange and store credit. */
export const RECEIPT_METHODS = [...PAYMENT_METHODS, 'exchange', 'store_credit'] as const
export type ExtraMethod = (typeof EXTRA_METHODS)[number]
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** The methods with a transaction id. */
export type NoncashMethod = Exclude<PaymentMethod, 'cash'>
/** The methods with a transaction id of a shop that has switched `extra` on. */
export const noncashMethods = (extra: readonly ExtraMethod[]): NoncashMethod[] => [...STANDARD_NONCASH, ...extra]
export const NONCASH_METHODS: readonly NoncashMethod[] = noncashMethods(EXTRA_METHODS)

/** The money received, by method; a method that the shop does not have is absent. */
export type Tender = Record<(typeof STANDARD_METHODS)[number], Poisha> & { [method in ExtraMethod]?: Poisha | undefined }

export const tenderedOf = (tender: Tender): Poisha => poisha(tender.cash + noncashOf(tender))

/** The money received by all methods but cash. */
export const noncashOf = (tender: Omit<Tender, 'cash'>): Poisha => sum(NONCASH_METHODS.map((method) => tender[method] ?? ZERO))

/** The extra methods that are switched on. */
export const enabledMethods = (setting: Readonly<Record<ExtraMethod, boolean>>): ExtraMethod[] =>
  EXTRA_METHODS.filter((one) => setting[one])

/** The first extra method with an amount that is not allowed; null when there is none. */
export function methodNotAllowed(amounts: Omit<Tender, 'cash'>, allowed: readonly ExtraMethod[]): ExtraMethod | null {
  return EXTRA_METHODS.find((method) => (amounts[method] ?? ZERO) > 0 && !allowed.includes(method)) ?? null
}

/** The change: the overpaid amount, limited to the cash. */
export function changeOf(tender: Tender, total: Poisha): Poisha {
  return poisha(Math.max(0, Math.min(tender.cash, tenderedOf(tender) - total)))
}

export type TenderProblem = 'does-not-match' | 'change-not-from-cash' | 'paid-differs'

/**
 * The booked amount of each method, together exactly the total; the tolerated poisha goes to the largest. `paid` is the sum that the
 * device reports, or null.
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
  const largest = PAYMENT_METHODS.reduce((max, method) => ((applied[method] ?? 0) > (applied[max] ?? 0) ? method : max))
  applied[largest] = poisha((applied[largest] ?? 0) + total - tenderedOf(applied))
  return { ok: true, applied }
}

/** What is missing to pay the total. */
export function amountMissing(tender: Tender | null, total: Poisha): Poisha {
  return poisha(tender === null ? 0 : Math.max(0, total - tenderedOf(tender)))
}

/** A phone at the POS: eleven digits, or with the country code; null for anything else, ten digits included. */
export function readPosPhone(typed: string): string | null {
  const phone = normalizePhone(typed)
  return phone !== null && latinDigits(typed).replace(/\D/g, '').length >= PHONE_LENGTH ? phone : null
}

/** Whether a sale has the phone that it needs. A sale over the counter may lack one by a setting; a delivery or collection never. */
export function hasNeededPhone(
  sale: { customer: { phone: string }; delivery: unknown; collection?: unknown },
  walkInSales: boolean,
): boolean {
  return sale.customer.phone !== '' || (walkInSales && sale.delivery === null && sale.collection === undefined)
}

/** Sales minus refunds, sales on account and store credit, with rounding and payments on account, minus ledger entries of a day: zero. */
export function differenceToLedger(day: {
  total: Poisha
  refunds: Poisha
  rounding: Poisha
  on_account: Poisha
  account_payments: Poisha
  store_credit: { used: Poisha; issued: Poisha }
  methods: readonly { taken: Poisha; given: Poisha }[]
}): number {
  const received =
    day.total - day.refunds + day.rounding - day.on_account + day.account_payments - day.store_credit.used + day.store_credit.issued
  return received - day.methods.reduce((net, { taken, given }) => net + taken - given, 0)
}

/** Notes and coins, in taka. */
export const DENOMINATIONS = [1000, 500, 200, 100, 50, 20, 10, 5, 2, 1] as const

const isNoteCount = (text: string) => text.length <= MAX_NOTE_COUNT_DIGITS && /^\d+$/.test(text)

/** The sum of counted notes; an unreadable count is zero. */
export function sumDenominations(counts: Readonly<Record<string, string>>): Poisha {
  const of = (note: number) => (isNoteCount(latinDigits(counts[note] ?? '').trim()) ? Number(latinDigits(counts[note]!.trim())) : 0)
  return poisha(DENOMINATIONS.reduce((total, note) => total + note * 100 * of(note), 0))
}

export type PaymentProblem = 'amount' | 'due' | 'not-from-cash'
export type SaleProblem = 'empty' | 'quantity' | 'phone' | 'discount' | 'total' | PaymentProblem

/** Why the payments do not match the total: an unreadable amount, too little, or more by other methods than cash than is due. */
export function paymentProblem(tender: Tender | null, total: Poisha): PaymentProblem | null {
  if (tender === null) return 'amount'
  if (applyTender(tender, changeOf(tender, total), total).ok) return null
  return amountMissing(tender, total) > 0 ? 'due' : 'not-from-cash'
}

/**
 * The first problem of the sale in a fixed order, `payment` before the phone; null when it can be submitted. `phone`: null where none is
 * needed.
 */
export function saleProblem(
  lines: readonly PosLine[],
  phone: string | null,
  sums: PosSums,
  payment: PaymentProblem | null,
): SaleProblem | null {
  if (lines.length === 0) return 'empty'
  if (lines.some((line) => quantityProblem(line) !== null)) return 'quantity'
  if (sums.isDiscountWrong) return 'discount'
  if (sums.total <= ZERO) return 'total'
  return payment ?? (phone !== null && readPosPhone(phone) === null ? 'phone' : null)
}
