import type { AreaJson } from '#features/catalog/types.ts'
import { chargesOf } from '#features/orders/checkout/checkout-rules.ts'
import { normalizeTransactionId } from '#features/orders/advances/transaction-id-rules.ts'
import {
  APPROVAL_MINUTES,
  type DiscountLimit,
  type Exceptions,
  exceptionsOf,
  isSameSale,
  type SaleTerms,
} from '#features/pos/approval-rules.ts'
import { lineDiscount, saleDiscount } from '#features/pos/discount-rules.ts'
import type { PosTerms } from '#features/pos/pos-terms.ts'
import {
  amountMissing,
  autoCash,
  changeOf,
  isPriceSet,
  lineQuantity,
  NONCASH_METHODS,
  noncashOf,
  type NoncashMethod,
  paymentProblem,
  saleProblem,
  setPriceOf,
  type Tender,
  tenderedOf,
  type PosLine,
  posSums,
} from '#features/pos/rules.ts'
import { saleRounding } from '#features/pos/rounding-rules.ts'
import { deliveryCharge } from '#features/pricing/rules.ts'
import { parseAmount, poisha, type Poisha, poishaToTaka, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { exchangeState, type SaleExchange } from './exchange.ts'
import { couponProblem, currentCoupon, type SaleCoupon } from './sale-coupon.ts'
import { dayField, isDayWrong, possibleDays } from './sale-days.ts'
import type { QueuedSale } from './device/outbox-rules.ts'

/** The amount and the transaction id of each method but cash. */
type NoncashFields = Record<NoncashMethod | `${NoncashMethod}Id`, string>

/** All inputs of one sale, as typed. They survive a reload of the page. */
export interface Sale extends NoncashFields {
  /** The idempotency key of the sale. */
  key: string
  lines: PosLine[]
  phone: string
  /** Sold without a phone. */
  walkIn: boolean
  name: string
  email: string
  /** Null: computed as the rest. */
  cash: string | null
  /** The part that the customer pays later. */
  onAccount: string
  /** The part that the customer's store credit pays, as typed. Sales of an earlier build have none. */
  storeCredit?: string | undefined
  discount: string
  coupon: SaleCoupon | null
  /** The terms that a supervisor approved, and when, in milliseconds. */
  approval: { terms: SaleTerms; at: number } | null
  deliver: boolean
  areaId: string
  address: string
  /** The customer collects the products later. Sales of an earlier build have neither this nor a day. */
  collect?: boolean | undefined
  /** The chosen day of delivery or collection (YYYY-MM-DD); empty for the earliest. */
  day?: string | undefined
  /** What comes back for this sale; null for a sale that is no exchange. */
  exchange: SaleExchange | null
  /** A rejected sale of the outbox, edited on the screen. */
  isUnsent?: boolean | undefined
}

export function newSale(key: string = crypto.randomUUID()): Sale {
  const amounts = { cash: null, bkash: '', bank: '', bkashId: '', bankId: '', discount: '' }
  const extra = { nagad: '', rocket: '', card: '', nagadId: '', rocketId: '', cardId: '', onAccount: '' }
  const delivery = { deliver: false, areaId: '', address: '', exchange: null, coupon: null }
  return { key, lines: [], phone: '', walkIn: false, name: '', email: '', ...amounts, ...extra, approval: null, ...delivery }
}

/** A typed amount; empty is zero, unreadable or negative is null. */
export function typedAmount(text: string): Poisha | null {
  if (text.trim() === '') return ZERO
  const amount = parseAmount(text)
  return amount !== null && amount >= 0 ? amount : null
}

/** What a sale needs from the shop. */
export type SaleShop = Omit<PosTerms, 'methods'>

/**
 * The sums of the sale, its payment, and its first problem. `toPay` is the total less the credit of an exchange, with the rounding of cash;
 * `paidBack` is what an exchange pays back; `max` is what store credit and account may pay, exact, because only cash is rounded.
 */
export function getSaleState(sale: Sale, { areas, roundsCash, walkInSales, days: dayTerms }: SaleShop) {
  const area = sale.deliver ? (areas.find(({ id }) => String(id) === sale.areaId) ?? null) : null
  const items = sale.lines.map((line) => ({ deliveryGroup: line.group, shipping: line.shipping }))
  const charge = sale.deliver ? deliveryCharge(items, chargesOf(area)) : ({ ok: true, value: ZERO } as const)
  const coupon = currentCoupon(sale)
  const shipping = charge.ok ? poisha(Math.max(0, charge.value - (coupon?.deliverySaved ?? 0))) : ZERO
  const sums = posSums(sale.lines, shipping, coupon ? coupon.discount : saleDiscount(sale.lines, sale.discount))
  const other = { ...NO_TENDER, ...typedTender(sale) }
  const isReadable = NONCASH_METHODS.every((method) => typedAmount(sale[method]) !== null)
  const onAccount = typedAmount(sale.onAccount) ?? ZERO
  const typedCredit = typedAmount(sale.storeCredit ?? '')
  const storeCredit = typedCredit ?? ZERO
  const later = poisha(onAccount + storeCredit)
  const { credit, paidBack } = exchangeState(sale.exchange, sums.total, roundsCash)
  const owed = poisha(sums.total - credit)
  const rounding = roundsCash ? saleRounding(poisha(owed - later), other) : ZERO
  const toPay = poisha(owed + rounding)
  const toPayNow = poisha(toPay - later)
  const defaultCash = autoCash(toPayNow, noncashOf(other))
  const cash = sale.cash === null ? defaultCash : typedAmount(sale.cash)
  const tender: Tender | null = cash === null || !isReadable ? null : { ...other, cash }
  const change = tender ? changeOf(tender, toPayNow) : ZERO
  const isAccountWrong = typedAmount(sale.onAccount) === null || typedCredit === null || later > owed
  const paymentIssue = isAccountWrong ? 'amount' : paymentProblem(tender, toPayNow)
  const needsPhone = !(walkInSales && sale.walkIn && !sale.deliver && !sale.collect)
  const ofSale = saleProblem(sale.lines, needsPhone ? sale.phone : null, sums, paymentIssue)
  const days = possibleDays(sale, area, dayTerms)
  const dayProblem = isDayWrong(sale, days) ? ('day' as const) : null
  const problem = ofSale ?? deliveryProblem(sale, area, charge.ok) ?? dayProblem ?? couponProblem(sale) ?? transactionProblem(sale)
  const rejection = charge.ok ? null : charge.reason
  const due = amountMissing(tender, toPayNow)
  const leftAfter = (taken: Poisha) => poisha(Math.max(0, owed - taken))
  const notMoney = { onAccount, storeCredit, max: { onAccount: leftAfter(storeCredit), storeCredit: leftAfter(onAccount) } }
  return {
    sums,
    coupon,
    rounding,
    credit,
    /** The value of the products that come back; `credit` is the part that pays for the sale. */
    returned: sale.exchange?.refund ?? ZERO,
    paidBack,
    toPay,
    ...notMoney,
    tender,
    change,
    defaultCash,
    due,
    paymentIssue,
    problem,
    rejection,
    days,
  }
}

const NO_TENDER: Tender = { cash: ZERO, bkash: ZERO, bank: ZERO }

/** The typed amounts above zero by all methods but cash; an unreadable one is absent. */
function typedTender(sale: Sale): Partial<Tender> {
  const amounts = NONCASH_METHODS.map((method) => [method, typedAmount(sale[method]) ?? ZERO] as const)
  return Object.fromEntries(amounts.filter(([, amount]) => amount > 0))
}

/** The first method that was paid with a transaction id that the shop would reject; null when there is none. */
export function badTransactionId(sale: Sale): NoncashMethod | null {
  const isBad = (method: NoncashMethod) => {
    const id = (typedAmount(sale[method]) ?? 0) > 0 ? (sale[`${method}Id`] ?? '').trim() : ''
    return id !== '' && normalizeTransactionId(id, method) === null
  }
  return NONCASH_METHODS.find(isBad) ?? null
}

const transactionProblem = (sale: Sale) => (badTransactionId(sale) === null ? null : ('transaction' as const))

export type SaleState = ReturnType<typeof getSaleState>
export type PosProblem = NonNullable<SaleState['problem']>

function deliveryProblem(sale: Sale, area: AreaJson | null, isOpen: boolean): 'place' | null {
  return sale.deliver && (!area || !isOpen || sale.address.trim() === '') ? 'place' : null
}

/** The sale as a supervisor approves it; an unreadable quantity counts as zero. */
function termsOf(sale: Sale): SaleTerms {
  const lines = sale.lines.map((line) => ({
    id: line.id,
    quantityMilli: lineQuantity(line) ?? 0,
    price: line.price,
    isPriceSet: isPriceSet(line),
    isHeld: line.isHeld === true,
  }))
  return { discount: saleDiscount(sale.lines, sale.discount) ?? ZERO, lines }
}

/** The exceptions that a supervisor must still approve, as far as this device knows; null when there are none. */
export function missingApprovals(
  sale: Sale,
  { limit, needsSupervisor }: { limit: DiscountLimit | null; needsSupervisor: boolean },
): Exceptions | null {
  if (!needsSupervisor) return null
  const terms = termsOf(sale)
  const { approval } = sale
  const isApproved = approval && Date.now() - approval.at < APPROVAL_MINUTES * 60_000 && isSameSale(approval.terms, terms)
  return isApproved ? null : exceptionsOf(terms, limit)
}

/** The body of POST /admin/quick-orders/store. */
export function saleBodyOf(sale: Sale, { sums, coupon, tender, change, onAccount, storeCredit }: SaleState): Record<string, unknown> {
  const paid = tender ?? NO_TENDER
  const byMethod = <Value>(of: (method: NoncashMethod) => Value) =>
    Object.fromEntries(NONCASH_METHODS.filter((method) => method in paid).map((method) => [method, of(method)]))
  return {
    products: sale.lines.map((line) => ({
      id: line.id,
      quantity: String((lineQuantity(line) ?? 0) / 1000),
      price: poishaToTaka(line.price),
      ...(isPriceSet(line) ? { price_is_set: true } : {}),
      ...(line.note?.trim() ? { note: line.note.trim() } : {}),
      ...(coupon ? {} : lineDiscountField(line)),
    })),
    transactions: { cash: poishaToTaka(paid.cash), ...byMethod((method) => poishaToTaka(paid[method] ?? ZERO)) },
    transaction_ids: byMethod((method) => ((paid[method] ?? ZERO) > 0 ? sale[`${method}Id`] : '')),
    ...(onAccount > 0 ? { on_account: poishaToTaka(onAccount) } : {}),
    ...(storeCredit > 0 ? { store_credit: poishaToTaka(storeCredit) } : {}),
    ...(coupon ? { coupon: coupon.code } : {}),
    discount: coupon ? 0 : poishaToTaka(sums.discount),
    sub_total: poishaToTaka(sums.subtotal),
    shipping_cost: poishaToTaka(sums.shipping),
    total: poishaToTaka(sums.total),
    customer: sale.walkIn
      ? { phone: '', name: sale.name, email: '', walk_in: true }
      : { phone: sale.phone, name: sale.name, email: sale.email },
    change_amount: poishaToTaka(change),
    paid_amount: poishaToTaka(tenderedOf(paid)),
    delivery: sale.deliver ? { area_id: Number(sale.areaId), address: sale.address, ...dayField(sale) } : null,
    ...(sale.collect ? { collection: dayField(sale) } : {}),
  }
}

/** The discount of a line alone; absent without one, so that the hash of a repeated request is the same. */
function lineDiscountField(line: PosLine): { discount?: number } {
  const discount = lineDiscount(line) ?? ZERO
  return discount > 0 ? { discount: poishaToTaka(discount) } : {}
}

/** A sale as stored in the outbox: request body, cashier, and time of the sale. */
export function toQueuedSale(
  sale: Sale,
  state: SaleState,
  { id, name, shiftId }: { id: number; name: string; shiftId: number | null },
): QueuedSale {
  const soldAt = new Date().toISOString()
  const body = { ...saleBodyOf(sale, state), sold_at: soldAt, cashier_id: id, shift_id: shiftId }
  return { key: sale.key, sequence: 0, cashier: { id, name }, soldAt, total: poishaToTaka(state.sums.total), body, sale, state: 'waiting' }
}

/** The sale with current prices, in taka, where they are known; a manually set price stays. */
export function withPrices(sale: Sale, prices: readonly { id: number; price: number }[]): Sale {
  const now = new Map(prices.map(({ id, price }) => [id, takaToPoisha(price)]))
  return { ...sale, lines: sale.lines.map((line) => (isPriceSet(line) ? line : setPriceOf(line, now.get(line.id) ?? line.price))) }
}
