import type { AreaWithCharges } from '#features/orders/checkout/checkout-rules.ts'
import { chargesOf } from '#features/orders/checkout/checkout-rules.ts'
import {
  APPROVAL_MINUTES,
  type DiscountLimit,
  type Exceptions,
  exceptionsOf,
  isSameSale,
  type SaleTerms,
} from '#features/pos/approval-rules.ts'
import {
  applyTender,
  autoCash,
  changeOf,
  isPriceSet,
  readPosQuantity,
  saleProblem,
  setPriceOf,
  type Tender,
  tenderedOf,
  type PosLine,
  posSums,
} from '#features/pos/rules.ts'
import { deliveryCharge } from '#features/pricing/rules.ts'
import { parseAmount, type Poisha, poishaToTaka, takaToPoisha, ZERO } from '#lib/format/money.ts'
import type { QueuedSale } from './device/outbox-rules.ts'

/** Everything a cashier has entered of one sale, as typed. It survives a reload of the page. */
export interface Sale {
  /** What the sale is known by to the shop: sent again it is the same sale. */
  key: string
  lines: PosLine[]
  phone: string
  name: string
  email: string
  /** Null: fills itself. */
  cash: string | null
  bkash: string
  bank: string
  bkashId: string
  bankId: string
  discount: string
  /** The terms that a supervisor approved, and when, in milliseconds. */
  approval: { terms: SaleTerms; at: number } | null
  deliver: boolean
  areaId: string
  address: string
}

const KEPT = 'khamar.till'
const KEPT_OF = 'khamar.till.cashier'

export function newSale(): Sale {
  const amounts = { cash: null, bkash: '', bank: '', bkashId: '', bankId: '', discount: '' }
  const place = { deliver: false, areaId: '', address: '' }
  return { key: crypto.randomUUID(), lines: [], phone: '', name: '', email: '', ...amounts, approval: null, ...place }
}

/** The sale that this cashier had in this tab, or a new one: nobody meets what somebody else had begun. */
export function storedSale(cashierId: number): Sale {
  try {
    const isOwn = sessionStorage.getItem(KEPT_OF) === String(cashierId)
    sessionStorage.setItem(KEPT_OF, String(cashierId))
    if (!isOwn) sessionStorage.removeItem(KEPT)
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Partial<Sale> | null
    if (kept && typeof kept.key === 'string' && Array.isArray(kept.lines)) return { ...newSale(), ...kept }
  } catch {
    // Broken or forbidden storage: the sale begins anew.
  }
  return newSale()
}

export function storeSale(sale: Sale): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(sale))
  } catch {
    // Full or forbidden: the sale goes on, and does not survive a reload.
  }
}

/** An amount as typed; nothing is zero, what cannot be read null. */
export function typedAmount(text: string): Poisha | null {
  if (text.trim() === '') return ZERO
  const amount = parseAmount(text)
  return amount !== null && amount >= 0 ? amount : null
}

/** What the entered sale comes to, how it is paid, and what is in its way. */
export function saleState(sale: Sale, areas: readonly AreaWithCharges[]) {
  const area = sale.deliver ? (areas.find(({ id }) => String(id) === sale.areaId) ?? null) : null
  const items = sale.lines.map((line) => ({ deliveryGroup: line.group, shipping: line.shipping }))
  const charge = sale.deliver ? deliveryCharge(items, chargesOf(area)) : ({ ok: true, value: ZERO } as const)
  const discount = typedAmount(sale.discount)
  const sums = posSums(sale.lines, charge.ok ? charge.value : ZERO, discount ?? ZERO)
  const [bkash, bank] = [typedAmount(sale.bkash), typedAmount(sale.bank)]
  const ownCash = autoCash(sums.total, bkash ?? ZERO, bank ?? ZERO)
  const cash = sale.cash === null ? ownCash : typedAmount(sale.cash)
  const tender: Tender | null = cash === null || bkash === null || bank === null ? null : { cash, bkash, bank }
  const change = tender ? changeOf(tender, sums.total) : ZERO
  const isPaid = tender !== null && applyTender(tender, change, sums.total).ok
  const problem =
    saleProblem(sale.lines, sale.phone, sums, tender) ?? (discount === null ? 'discount' : placeProblem(sale, area, charge.ok))
  const refusal = charge.ok ? null : charge.reason
  return { sums, tender, change, ownCash, isPaid, problem, refusal }
}

export type Standing = ReturnType<typeof saleState>
export type PosProblem = NonNullable<Standing['problem']>

function placeProblem(sale: Sale, area: AreaWithCharges | null, isOpen: boolean): 'place' | null {
  return sale.deliver && (!area || !isOpen || sale.address.trim() === '') ? 'place' : null
}

/** The sale as a supervisor approves it; a quantity that cannot be read counts as zero. */
function termsOf(sale: Sale): SaleTerms {
  const lines = sale.lines.map((line) => ({
    id: line.id,
    quantityMilli: readPosQuantity(line.quantity) ?? 0,
    price: line.price,
    isPriceSet: isPriceSet(line),
    isHeld: line.isHeld === true,
  }))
  return { discount: typedAmount(sale.discount) ?? ZERO, lines }
}

/** The exceptions that a supervisor must still approve, as far as this device knows; null when there are none. */
export function toApprove(sale: Sale, { limit, mustAsk }: { limit: DiscountLimit | null; mustAsk: boolean }): Exceptions | null {
  if (!mustAsk) return null
  const terms = termsOf(sale)
  const { approval } = sale
  const isApproved = approval && Date.now() - approval.at < APPROVAL_MINUTES * 60_000 && isSameSale(approval.terms, terms)
  return isApproved ? null : exceptionsOf(terms, limit)
}

/** The body of POST /admin/quick-orders/store. */
export function saleBodyOf(sale: Sale, { sums, tender, change }: Standing): Record<string, unknown> {
  const paid = tender ?? { cash: ZERO, bkash: ZERO, bank: ZERO }
  return {
    products: sale.lines.map(({ id, quantity, price, listPrice }) => ({
      id,
      quantity: String((readPosQuantity(quantity) ?? 0) / 1000),
      price: poishaToTaka(price),
      ...(isPriceSet({ price, listPrice }) ? { price_is_set: true } : {}),
    })),
    transactions: { cash: poishaToTaka(paid.cash), bkash: poishaToTaka(paid.bkash), bank: poishaToTaka(paid.bank) },
    transaction_ids: { bkash: paid.bkash > 0 ? sale.bkashId : '', bank: paid.bank > 0 ? sale.bankId : '' },
    discount: poishaToTaka(sums.discount),
    sub_total: poishaToTaka(sums.subtotal),
    shipping_cost: poishaToTaka(sums.shipping),
    total: poishaToTaka(sums.total),
    customer: { phone: sale.phone, name: sale.name, email: sale.email },
    change_amount: poishaToTaka(change),
    paid_amount: poishaToTaka(tenderedOf(paid)),
    delivery: sale.deliver ? { area_id: Number(sale.areaId), address: sale.address } : null,
  }
}

/** A sale as the outbox keeps it: what is sent, whose it is, and when it was made. */
export function toQueuedSale(
  sale: Sale,
  standing: Standing,
  { id, name, shiftId }: { id: number; name: string; shiftId: number | null },
): QueuedSale {
  const soldAt = new Date().toISOString()
  const body = { ...saleBodyOf(sale, standing), sold_at: soldAt, cashier_id: id, shift_id: shiftId }
  return { key: sale.key, place: 0, cashier: { id, name }, soldAt, total: poishaToTaka(standing.sums.total), body, sale, state: 'waiting' }
}

/** The sale at other prices, in taka, where they are known; one that somebody has set stays. */
export function withPrices(sale: Sale, prices: readonly { id: number; price: number }[]): Sale {
  const now = new Map(prices.map(({ id, price }) => [id, takaToPoisha(price)]))
  return { ...sale, lines: sale.lines.map((line) => (isPriceSet(line) ? line : setPriceOf(line, now.get(line.id) ?? line.price))) }
}
