// Computes all amounts of an order. The cart, the preview and the placing of the order call the same function.
import { poisha, sum, ZERO, type Poisha } from '#lib/format/money.ts'
import { ok } from '#lib/result.ts'
import { isReachable, MAX_QUANTITY_MILLI } from '../catalog/quantity-rules.ts'
import { isOrderable } from '../catalog/rules.ts'
import { lineTotal, type Discount, unitPriceAfterDiscount } from '../catalog/shown-price-rules.ts'
import type { DeliveryGroup, ProductStatus } from '../catalog/types.ts'
import { type DeliveryCalendar, type DeliveryPlan, planDelivery } from './delivery-day-rules.ts'
import {
  onlineBounds,
  partialAmountError,
  partialBounds,
  suggestPartial,
  type PartialBounds,
  type PartialProblem,
} from './partial-rules.ts'
import {
  couponCovers,
  couponDelivery,
  couponDiscount,
  deliveryCharge,
  lineAdvance,
  orderTotal,
  type AdvanceTerms,
  type AreaCharges,
  type Coupon,
} from './rules.ts'

/** The values of a product that its price depends on. */
export interface QuoteProduct {
  id: number
  name: string
  status: ProductStatus
  basePrice: Poisha
  discount: Discount | null
  /** Allowed quantity steps in thousandths; empty when any whole number will do. */
  sizesMilli: readonly number[]
  isUnique: boolean
  /** Stock in thousandths; null when the product is not counted, or the stock is not known. */
  stockMilli: number | null
  deliveryGroup: DeliveryGroup
  shipping: Poisha
  /** Earliest delivery date (YYYY-MM-DD); null or absent: the list day. */
  deliveryOn?: string | null
  /** Sold for Kurbani: it comes before the season ends. */
  isKurbani?: boolean
  advance: AdvanceTerms
  couponApplicable: boolean
  codAllowed: boolean
}

export type PaymentType = 'full' | 'partial' | 'cash_on_delivery'

export interface QuoteData {
  products: readonly QuoteProduct[]
  /** Null until an area is chosen. */
  area: AreaCharges | null
  coupon: Coupon | null
  /** The list day of an order placed now; without it the quote has no dates and no split. */
  listOn?: string
  /** The days of the shop; absent: every day is possible. */
  calendar?: DeliveryCalendar
}

export interface OrderChoice {
  lines: readonly { productId: number; quantityMilli: number }[]
  /** Null until one is chosen. */
  paymentType: PaymentType | null
  /** The amount of a partial payment; null when the input is no amount. */
  partial: Poisha | null
  /** The partial payment is sent by bank or mobile money, without the limits of a gateway. */
  byHand?: boolean
  /** 2: lines of the earliest date are delivered first, for a second delivery charge. Lines of one date are one delivery anyway. */
  deliveries?: 1 | 2
  /** The chosen day of the delivery, or of the first of two (YYYY-MM-DD); null or absent: the earliest possible one. */
  deliveryOn?: string | null
  /** The customer collects the order at the farm: one delivery date, no charge, and no area. */
  isCollection?: boolean
}

export interface QuoteLine {
  productId: number
  name: string
  quantityMilli: number
  basePrice: Poisha
  /** After the product's discount; the base price where a coupon replaces the discount. */
  unitPrice: Poisha
  baseTotal: Poisha
  total: Poisha
  /** (base − discounted unit price) × quantity. */
  discount: Poisha
  advance: Poisha
}

/** Why an order cannot be placed. */
export type QuoteProblem =
  | { reason: 'empty-cart' | 'area-closed-for-cattle' | 'area-closed-for-produce' | 'cod-not-offered' }
  | { reason: 'not-available' | 'quantity-not-allowed' | 'not-enough-stock' | 'listed-twice'; productId: number; name: string | null }
  | { reason: 'partial-amount'; problem: PartialProblem }
  /** The chosen day is not possible, or no day is. `next`: the earliest possible day, or null. */
  | { reason: 'delivery-day'; next: string | null }

/** `product-discount-better`: the coupon does not lower the total, so the product discounts apply. */
export type CouponOutcome = 'applied' | 'product-discount-better' | 'not-applicable'

export interface Quote extends Omit<DeliveryPlan, 'splitDates' | 'isImpossible'> {
  lines: QuoteLine[]
  /** At base prices. */
  subtotal: Poisha
  /** The charge for all deliveries. */
  delivery: Poisha
  isCollection: boolean
  /** The option of two deliveries, where lines have different dates: their dates, and the charge for one and for two. */
  split: { dates: [first: string, last: string]; oneCharge: Poisha; twoCharge: Poisha } | null
  /** The total of the products' own discounts, also where a coupon replaces them. */
  productDiscount: Poisha
  couponDiscount: Poisha
  /** The discount of a coupon on the delivery charge. */
  deliverySaved: Poisha
  /** The discount that applies: the coupon's, else the products'. */
  discount: Poisha
  coupon: CouponOutcome | null
  total: Poisha
  /** `minimum` is the advance of this order. `online` and `suggested` are for payments at a gateway. */
  partial: { minimum: Poisha; maximum: Poisha; suggested: Poisha; online: PartialBounds }
  /** Payable now: the total, or a valid partial payment, or zero (on delivery, or before a choice). */
  payable: Poisha
  /** The total is zero. */
  isFree: boolean
  paymentTypes: PaymentType[]
  problems: QuoteProblem[]
}

/** Prices an order. Lines that cannot be priced (unknown product, impossible quantity) are problems and not part of the totals. */
export function quoteOrder(data: QuoteData, choice: OrderChoice): Quote {
  const { priced, problems } = priceLines(data.products, choice.lines)
  const lines = priced.map(({ line }) => line)
  const products = priced.map(({ product }) => product)
  const couponLines = priced.map(({ line, product }) => ({ ...line, couponApplicable: product.couponApplicable }))

  const isCollection = choice.isCollection === true
  const charge = isCollection ? ok(ZERO) : deliveryCharge(products, data.area)
  if (!charge.ok) problems.push({ reason: charge.reason })
  const fullCharge = charge.ok ? charge.value : deliveryBeforeArea(products)
  // A coupon lowers the charge of one delivery only.
  const oneCharge = couponDelivery(data.coupon, couponLines, fullCharge)
  const { splitDates: dates, isImpossible, ...plan } = planDelivery(data, choice, products)
  if (isImpossible) problems.push({ reason: 'delivery-day', next: plan.days[0] ?? null })
  const split = dates && { dates, oneCharge, twoCharge: poisha(oneCharge + fullCharge) }
  const chargeBeforeCoupon = poisha(fullCharge * plan.deliveries)
  const delivery = split !== null && plan.deliveries === 2 ? split.twoCharge : oneCharge

  const subtotal = sum(lines.map((line) => line.baseTotal))
  const productDiscount = sum(lines.map((line) => line.discount))
  const { discount, ...coupon } = discountOfOrder(data.coupon, couponLines, productDiscount)
  const total = orderTotal(subtotal, delivery, discount)

  const basis = { total, delivery, advances: sum(lines.map((line) => line.advance)) }
  const bounds = partialBounds(basis)
  const paymentTypes = offeredPaymentTypes(products)
  if (choice.paymentType !== null && !paymentTypes.includes(choice.paymentType)) problems.push({ reason: 'cod-not-offered' })
  const partialProblem = choice.paymentType === 'partial' && total > 0 ? partialAmountError(choice.partial, basis, choice.byHand) : null
  if (partialProblem !== null) problems.push({ reason: 'partial-amount', problem: partialProblem })

  return {
    lines: coupon.couponDiscount > 0 ? lines.map(withoutDiscount) : lines,
    subtotal,
    delivery,
    isCollection,
    ...plan,
    split,
    deliverySaved: poisha(chargeBeforeCoupon - delivery),
    productDiscount,
    discount,
    ...coupon,
    total,
    paymentTypes,
    problems,
    partial: { minimum: bounds.min, maximum: bounds.max, suggested: suggestPartial(basis), online: onlineBounds(basis) },
    payable: payableNow(choice, total, partialProblem),
    isFree: total === 0,
  }
}

interface PricedLine {
  line: QuoteLine
  product: QuoteProduct
}

function priceLines(products: readonly QuoteProduct[], chosen: OrderChoice['lines']): { priced: PricedLine[]; problems: QuoteProblem[] } {
  const known = new Map(products.map((product) => [product.id, product]))
  const seen = new Set<number>()
  const priced: PricedLine[] = []
  const problems: QuoteProblem[] = chosen.length === 0 ? [{ reason: 'empty-cart' }] : []
  for (const { productId, quantityMilli } of chosen) {
    const product = known.get(productId)
    const reason = seen.has(productId) ? 'listed-twice' : lineProblem(product, quantityMilli)
    if (reason !== null) problems.push({ reason, productId, name: product?.name ?? null })
    if (product !== undefined && !seen.has(productId) && isPossible(product, quantityMilli))
      priced.push({ product, line: priceLine(product, quantityMilli) })
    seen.add(productId)
  }
  return { priced, problems }
}

function lineProblem(
  product: QuoteProduct | undefined,
  quantityMilli: number,
): 'not-available' | 'quantity-not-allowed' | 'not-enough-stock' | null {
  if (product === undefined || !isOrderable(product.status)) return 'not-available'
  const allowed = product.isUnique ? quantityMilli === 1000 : isReachable(product.sizesMilli, quantityMilli)
  if (!allowed || !isPossible(product, quantityMilli)) return 'quantity-not-allowed'
  if (product.stockMilli === null || product.stockMilli >= quantityMilli) return null
  return product.isUnique ? 'not-available' : 'not-enough-stock'
}

/** The maximum of a line in poisha: a hundred lines add up to a safe integer. */
export const MAX_LINE = 1e13

function isPossible(product: QuoteProduct, quantityMilli: number): boolean {
  const isQuantity = Number.isSafeInteger(quantityMilli) && quantityMilli > 0 && quantityMilli <= MAX_QUANTITY_MILLI
  return isQuantity && (product.basePrice / 1000) * quantityMilli <= MAX_LINE
}

function priceLine(product: QuoteProduct, quantityMilli: number): QuoteLine {
  const unitPrice = unitPriceAfterDiscount(product.basePrice, product.discount)
  const baseTotal = lineTotal(product.basePrice, quantityMilli)
  const total = lineTotal(unitPrice, quantityMilli)
  return {
    productId: product.id,
    name: product.name,
    quantityMilli,
    basePrice: product.basePrice,
    unitPrice,
    baseTotal,
    total,
    discount: poisha(baseTotal - total),
    advance: lineAdvance(total, product.advance),
  }
}

/** The line without its discount, which a coupon replaces. Its advance does not change. */
function withoutDiscount(line: QuoteLine): QuoteLine {
  return { ...line, unitPrice: line.basePrice, total: line.baseTotal, discount: ZERO }
}

function deliveryBeforeArea(products: readonly QuoteProduct[]): Poisha {
  const charge = deliveryCharge(products, null)
  return charge.ok ? charge.value : ZERO
}

type CouponableLine = QuoteLine & { couponApplicable: boolean }

function discountOfOrder(
  coupon: Coupon | null,
  lines: readonly CouponableLine[],
  productDiscount: Poisha,
): Pick<Quote, 'discount' | 'coupon' | 'couponDiscount'> {
  if (coupon === null) return { discount: productDiscount, coupon: null, couponDiscount: ZERO }
  const couponAmount = couponDiscount(coupon, lines)
  const outcome = couponOutcome(coupon, lines, couponAmount, productDiscount)
  if (outcome !== 'applied' || coupon.kind === 'free_shipping') return { discount: productDiscount, coupon: outcome, couponDiscount: ZERO }
  return { discount: couponAmount, coupon: outcome, couponDiscount: couponAmount }
}

function couponOutcome(coupon: Coupon, lines: readonly CouponableLine[], couponAmount: Poisha, productDiscount: Poisha): CouponOutcome {
  if (!lines.some((line) => couponCovers(coupon, line))) return 'not-applicable'
  return coupon.kind !== 'free_shipping' && productDiscount > 0 && couponAmount <= productDiscount ? 'product-discount-better' : 'applied'
}

/** How an order can be paid: cash on delivery only when every product in it allows that. */
export function offeredPaymentTypes(products: readonly { codAllowed: boolean }[]): PaymentType[] {
  const cash = products.length > 0 && products.every((product) => product.codAllowed)
  return cash ? ['full', 'partial', 'cash_on_delivery'] : ['full', 'partial']
}

function payableNow(choice: OrderChoice, total: Poisha, partialProblem: PartialProblem | null): Poisha {
  if (choice.paymentType === 'full') return total
  if (choice.paymentType !== 'partial' || partialProblem !== null || total === 0) return ZERO
  return choice.partial ?? ZERO
}
