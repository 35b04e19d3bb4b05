import { exchangeSums } from '#features/pos/exchange-rules.ts'
import { roundedRefund } from '#features/pos/rounding-rules.ts'
import type { Unit } from '#features/catalog/types.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'
import { refundBodyOf, type RefundPayment } from './refund-method.tsx'

// The returned side of an exchange: chosen at the return page, settled with the sale on the screen.

export interface SaleExchange extends RefundPayment {
  /** The sale that the products were bought with. */
  orderId: number
  lines: { productId: number; name: string; unit: Unit; quantityMilli: number; spoiled: boolean }[]
  reason: string
  /** The refund of these products, exact. */
  refund: Poisha
  /** Exact cash refunds of the sale so far less the cash given for them. */
  cashCarried: Poisha
}

/** An exchange with the customer of its sale. */
export interface BegunExchange {
  exchange: SaleExchange
  phone: string
  name: string
}

const KEY = 'khamar.exchange'

/** Hands an exchange over to the POS page, which opens next in this tab. Returns whether the browser could store it. */
export function handOverExchange(begun: BegunExchange): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(begun))
    return true
  } catch {
    return false
  }
}

/** Takes the exchange that the return page handed over; null without one. */
export function takeExchange(): BegunExchange | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as BegunExchange | null
    sessionStorage.removeItem(KEY)
    return stored && Array.isArray(stored.exchange?.lines) ? stored : null
  } catch {
    return null
  }
}

/** The credit of an exchange for a total (zero without one; sales of an earlier build have none), and what is paid back: cash in whole taka where the shop rounds cash. */
export function exchangeState(exchange: SaleExchange | null | undefined, total: Poisha, roundsCash: boolean) {
  if (!exchange) return { credit: ZERO, paidBack: ZERO }
  const { exchanged, toRefund } = exchangeSums(exchange.refund, total)
  const isRounded = roundsCash && exchange.method === 'cash' && toRefund > 0
  return { credit: exchanged, paidBack: isRounded ? roundedRefund(toRefund, exchange.cashCarried) : toRefund }
}

/** The field `exchange` of POST /admin/quick-orders/exchange/:id. */
export function exchangeBodyOf({ lines, reason, ...payment }: SaleExchange, paidBack: Poisha) {
  const returned = lines.map(({ productId, quantityMilli, spoiled }) => {
    return { product_id: productId, quantity: String(quantityMilli / 1000), spoiled }
  })
  return { lines: returned, reason, ...refundBodyOf(payment, paidBack) }
}

/** What an exchange pays back, in taka, from its request body. */
export function paidBackOf(body: Record<string, unknown>): number {
  const refund = (body.exchange as { refund?: Record<string, number> } | undefined)?.refund ?? {}
  return Object.values(refund).reduce((sum, amount) => sum + amount, 0)
}
