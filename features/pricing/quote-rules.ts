// Everything an order costs, worked out in one place: the cart and the preview show it, and placing the order believes nothing else.
import { poisha, sum, ZERO } from '#lib/format/money.ts'
import type { Poisha } from '#lib/format/money.ts'
import { isReachable, MAX_QUANTITY_MILLI } from '../catalog/quantity-rules.ts'
import { type Discount, unitPriceAfterDiscount } from '../catalog/shown-price-rules.ts'
import type { DeliveryGroup, ProductStatus } from '../catalog/types.ts'
import { deliveryDate, splitDates } from './delivery-plan-rules.ts'
import { onlineBounds, partialAmountError, partialBounds, suggestPartial } from './partial-rules.ts'
import type { PartialBounds, PartialProblem } from './partial-rules.ts'
import { couponCovers, couponDelivery, couponDiscount, deliveryCharge, lineAdvance, lineTotal, orderTotal } from './rules.ts'
import type { AdvanceTerms, AreaCharges, Coupon } from './rules.ts'

/** What must be known of a product to price it. */
export interface ProductFacts {
  id: number
  name: string
  status: ProductStatus
  basePrice: Poisha
  discount: Discount | null
  /** Allowed quantity steps in thousandths; empty when any whole number will do. */
  sizesMilli: readonly number[]
  isUnique: boolean
  /** What is left of a counted product, in thousandths; null when it is not counted, or not known. */
  stockMilli: number | null
  deliveryGroup: DeliveryGroup
  shipping: Poisha
  /** Delivery from this day on (YYYY-MM-DD); null or absent: on the list day. */
  deliveryOn?: string | null
  advance: AdvanceTerms
  couponApplicable: boolean
  codAllowed: boolean
}

export type PaymentType = 'full' | 'partial' | 'cash_on_delivery'

export interface OrderFacts {
  products: readonly ProductFacts[]
  /** Null until an area is chosen. */
  area: AreaCharges | null
  coupon: Coupon | null
  /** The list day of an order placed now; absent where dates do not matter: then nothing is split. */
  listOn?: string
}

export interface OrderChoice {
  lines: readonly { productId: number; quantityMilli: number }[]
  /** Null until one is chosen. */
  paymentType: PaymentType | null
  /** The part to pay now, for a partial payment; null when what was typed is no amount. */
  partial: Poisha | null
  /** The part is sent by bank or mobile money: the bounds of a gateway do not hold. */
  byHand?: boolean
  /** 2: what can come first comes first, for a second delivery charge. Goods of one date come in one delivery all the same. */
  deliveries?: 1 | 2
}

export interface QuoteLine {
  productId: number
  name: string
  quantityMilli: number
  basePrice: Poisha
  /** After the product's discount; the base price where a coupon has taken its place. */
  unitPrice: Poisha
  baseTotal: Poisha
  total: Poisha
  /** (base − discounted unit price) × quantity. */
  discount: Poisha
  advance: Poisha
}

/** Why an order cannot be placed as it stands. */
export type QuoteProblem =
  | { reason: 'empty-cart' | 'area-closed-for-cattle' | 'area-closed-for-produce' | 'cod-not-offered' }
  | { reason: 'not-available' | 'quantity-not-allowed' | 'not-enough-stock' | 'listed-twice'; productId: number; name: string | null }
  | { reason: 'partial-amount'; problem: PartialProblem }

/** `product-discount-better`: the coupon would not have made the order cheaper, so the product discounts stay. */
export type CouponOutcome = 'applied' | 'product-discount-better' | 'not-applicable'

export interface Quote {
  lines: QuoteLine[]
  /** At base prices. */
  subtotal: Poisha
  /** The charge for all deliveries. */
  delivery: Poisha
  deliveries: 1 | 2
  /** The date on which everything has come; null without a list day. */
  deliverOn: string | null
  /** Two deliveries, where the goods have different dates: their dates, and the charges for one and for both. */
  split: { dates: [first: string, last: string]; oneCharge: Poisha; twoCharge: Poisha } | null
  /** What the products' own discounts come to, also where a coupon has taken their place. */
  productDiscount: Poisha
  couponDiscount: Poisha
  /** What a coupon takes off the delivery charge. */
  deliverySaved: Poisha
  /** The one that counts: the coupon's, else the products'. */
  discount: Poisha
  coupon: CouponOutcome | null
  total: Poisha
  /** `minimum` is the advance this order needs; `online` holds for a part that is paid at a gateway, and so does the suggestion. */
  partial: { minimum: Poisha; maximum: Poisha; suggested: Poisha; online: PartialBounds }
  /** To be paid now: the total, the part when it will do, nothing on delivery or before a choice. */
  payable: Poisha
  /** Its total is zero: there is nothing to pay, now or later. */
  isFree: boolean
  paymentTypes: PaymentType[]
  problems: QuoteProblem[]
}

/** Prices an order. Lines that cannot be priced at all (unknown product, impossible quantity) are named in the problems and left out of the sums. */
export function quoteOrder(facts: OrderFacts, choice: OrderChoice): Quote {
  const { priced, problems } = priceLines(facts.products, choice.lines)
  const lines = priced.map(({ line }) => line)
  const products = priced.map(({ product }) => product)
  const couponLines = priced.map(({ line, product }) => ({ ...line, couponApplicable: product.couponApplicable }))

  const charge = deliveryCharge(products, facts.area)
  if (!charge.ok) problems.push({ reason: charge.reason })
  const usual = charge.ok ? charge.value : deliveryBeforeArea(products)
  // A coupon lowers the charge of one delivery; the other costs what it costs.
  const oneCharge = couponDelivery(facts.coupon, couponLines, usual)
  const { deliverOn, dates } = datesOf(facts.listOn, products)
  const split = dates && { dates, oneCharge, twoCharge: poisha(oneCharge + usual) }
  const deliveries = split !== null && choice.deliveries === 2 ? 2 : 1
  const asked = poisha(usual * deliveries)
  const delivery = split !== null && deliveries === 2 ? split.twoCharge : oneCharge

  const subtotal = sum(lines.map((line) => line.baseTotal))
  const productDiscount = sum(lines.map((line) => line.discount))
  const { discount, ...coupon } = discountOfOrder(facts.coupon, couponLines, productDiscount)
  const total = orderTotal(subtotal, delivery, discount)

  const basis = { total, delivery, advances: sum(lines.map((line) => line.advance)) }
  const bounds = partialBounds(basis)
  const paymentTypes = offeredPaymentTypes(products)
  if (choice.paymentType !== null && !paymentTypes.includes(choice.paymentType)) problems.push({ reason: 'cod-not-offered' })
  const wrongPart = choice.paymentType === 'partial' && total > 0 ? partialAmountError(choice.partial, basis, choice.byHand) : null
  if (wrongPart !== null) problems.push({ reason: 'partial-amount', problem: wrongPart })

  return {
    lines: coupon.couponDiscount > 0 ? lines.map(atBasePrice) : lines,
    subtotal,
    delivery,
    deliveries,
    deliverOn,
    split,
    deliverySaved: poisha(asked - delivery),
    productDiscount,
    discount,
    ...coupon,
    total,
    paymentTypes,
    problems,
    partial: { minimum: bounds.min, maximum: bounds.max, suggested: suggestPartial(basis), online: onlineBounds(basis) },
    payable: payableNow(choice, total, wrongPart),
    isFree: total === 0,
  }
}

interface PricedLine {
  line: QuoteLine
  product: ProductFacts
}

function priceLines(products: readonly ProductFacts[], chosen: OrderChoice['lines']): { priced: PricedLine[]; problems: QuoteProblem[] } {
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

/** Whether a product can be ordered in its present state. */
export function isOrderable(status: ProductStatus): boolean {
  return status === 'in-stock' || status === 'pre-book'
}

function lineProblem(
  product: ProductFacts | undefined,
  quantityMilli: number,
): 'not-available' | 'quantity-not-allowed' | 'not-enough-stock' | null {
  if (product === undefined || !isOrderable(product.status)) return 'not-available'
  const allowed = product.isUnique ? quantityMilli === 1000 : isReachable(product.sizesMilli, quantityMilli)
  if (!allowed || !isPossible(product, quantityMilli)) return 'quantity-not-allowed'
  if (product.stockMilli === null || product.stockMilli >= quantityMilli) return null
  return product.isUnique ? 'not-available' : 'not-enough-stock'
}

// A hundred lines of this much still add up exactly.
const MAX_LINE = 1e13

function isPossible(product: ProductFacts, quantityMilli: number): boolean {
  const isQuantity = Number.isSafeInteger(quantityMilli) && quantityMilli > 0 && quantityMilli <= MAX_QUANTITY_MILLI
  return isQuantity && (product.basePrice / 1000) * quantityMilli <= MAX_LINE
}

function priceLine(product: ProductFacts, quantityMilli: number): QuoteLine {
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

/** A line whose discount has made room for the coupon's; the advance asked for it stays. */
function atBasePrice(line: QuoteLine): QuoteLine {
  return { ...line, unitPrice: line.basePrice, total: line.baseTotal, discount: ZERO }
}

function datesOf(listOn: string | undefined, products: readonly ProductFacts[]) {
  if (listOn === undefined) return { deliverOn: null, dates: null }
  const goods = products.map((product) => product.deliveryOn ?? null)
  return { deliverOn: deliveryDate(listOn, goods), dates: splitDates(listOn, goods) }
}

function deliveryBeforeArea(products: readonly ProductFacts[]): Poisha {
  const charge = deliveryCharge(products, null)
  return charge.ok ? charge.value : ZERO
}

type CouponableLine = QuoteLine & { couponApplicable: boolean }

function discountOfOrder(
  coupon: Coupon | null,
  lines: readonly CouponableLine[],
  ofProducts: Poisha,
): Pick<Quote, 'discount' | 'coupon' | 'couponDiscount'> {
  if (coupon === null) return { discount: ofProducts, coupon: null, couponDiscount: ZERO }
  const ofCoupon = couponDiscount(coupon, lines)
  const outcome = couponOutcome(coupon, lines, ofCoupon, ofProducts)
  if (outcome !== 'applied' || coupon.kind === 'free_shipping') return { discount: ofProducts, coupon: outcome, couponDiscount: ZERO }
  return { discount: ofCoupon, coupon: outcome, couponDiscount: ofCoupon }
}

function couponOutcome(coupon: Coupon, lines: readonly CouponableLine[], ofCoupon: Poisha, ofProducts: Poisha): CouponOutcome {
  if (!lines.some((line) => couponCovers(coupon, line))) return 'not-applicable'
  return coupon.kind !== 'free_shipping' && ofProducts > 0 && ofCoupon <= ofProducts ? 'product-discount-better' : 'applied'
}

/** How an order can be paid: cash on delivery only when every product in it allows that. */
export function offeredPaymentTypes(products: readonly { codAllowed: boolean }[]): PaymentType[] {
  const cash = products.length > 0 && products.every((product) => product.codAllowed)
  return cash ? ['full', 'partial', 'cash_on_delivery'] : ['full', 'partial']
}

function payableNow(choice: OrderChoice, total: Poisha, wrongPart: PartialProblem | null): Poisha {
  if (choice.paymentType === 'full') return total
  if (choice.paymentType !== 'partial' || wrongPart !== null || total === 0) return ZERO
  return choice.partial ?? ZERO
}
