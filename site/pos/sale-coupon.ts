import { type CouponConflict, couponConflict } from '#features/pos/coupon-rules.ts'
import { saleDiscount } from '#features/pos/discount-rules.ts'
import { isPriceSet, type PosLine, quantityProblem, readPosPhone, lineQuantity } from '#features/pos/rules.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'

// The coupon of the sale on the screen. The server prices it; any change of the sale that matters needs a new price.

export interface SaleCoupon {
  /** As typed, then as the server names it. */
  code: string
  /** Taken off the products, and off the delivery charge. */
  discount: Poisha
  deliverySaved: Poisha
  /** The sale that the server priced it for (`couponBasis`); null while the code is typed, empty to price it again. */
  pricedFor: string | null
}

/** The parts of a sale that a coupon depends on. */
export interface CouponBasis {
  coupon: SaleCoupon | null
  lines: readonly PosLine[]
  phone: string
  walkIn: boolean
  discount: string
  deliver: boolean
  areaId: string
  exchange: object | null
}

export const NO_CODE: SaleCoupon = { code: '', discount: ZERO, deliverySaved: ZERO, pricedFor: null }

const quantityOf = (line: PosLine) => lineQuantity(line) ?? 0
const areaOf = ({ deliver, areaId }: CouponBasis) => (deliver && areaId !== '' ? Number(areaId) : null)

/** What a coupon is priced for. */
export function couponBasis(sale: CouponBasis): string {
  return JSON.stringify([readPosPhone(sale.phone), areaOf(sale), ...sale.lines.map((line) => [line.id, quantityOf(line), line.price])])
}

/** The body of POST /api/admin/quick-orders/coupon; null while a line has no quantity. */
export function couponBodyOf(sale: CouponBasis): Record<string, unknown> | null {
  if (sale.lines.length === 0 || sale.lines.some((line) => quantityProblem(line) !== null)) return null
  const products = sale.lines.map((line) => ({ id: line.id, quantity: String(quantityOf(line) / 1000) }))
  return { coupon: sale.coupon?.code ?? '', phone: sale.phone, products, area_id: areaOf(sale) }
}

const hasCode = ({ coupon }: CouponBasis) => (coupon?.code ?? '').trim() !== ''

/** Why the sale cannot use its coupon, as far as the device knows; null without a coupon. */
export function conflictOf(sale: CouponBasis): CouponConflict | null {
  if (!hasCode(sale)) return null
  return couponConflict({
    isExchange: Boolean(sale.exchange),
    hasPhone: !sale.walkIn && readPosPhone(sale.phone) !== null,
    hasDiscount: saleDiscount(sale.lines, sale.discount) !== ZERO,
    hasSetPrice: sale.lines.some(isPriceSet),
    hasHeld: sale.lines.some(({ isHeld }) => isHeld),
  })
}

/** The coupon with the price of exactly this sale; null without one. */
export function currentCoupon(sale: CouponBasis): SaleCoupon | null {
  if (!sale.coupon?.pricedFor) return null
  return sale.coupon.pricedFor === couponBasis(sale) && conflictOf(sale) === null ? sale.coupon : null
}

/** A typed coupon without a price blocks the sale. */
export const couponProblem = (sale: CouponBasis): 'coupon' | null => (hasCode(sale) && currentCoupon(sale) === null ? 'coupon' : null)

/** The coupon, to be priced again. */
export const unpriced = (coupon: SaleCoupon | null): SaleCoupon | null => coupon && { ...coupon, pricedFor: '' }
