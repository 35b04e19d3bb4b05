// Values of the order forms, and the body that is sent.
import { MAX_PRICE } from '#features/catalog/limits.ts'
import { initialQuantity, parseSizes } from '#features/catalog/quantity-rules.ts'
import type { AreaJson, DeliveryGroup, ProductDetailJson } from '#features/catalog/types.ts'
import type { AdminOrder, AdminOrderLine } from '#features/orders/history/order-details.server.ts'
import { chargeUnderCoupon, followingCharge } from '#features/orders/editing/pricing-rules.ts'
import type { AdminMethod } from '#features/orders/payments/ledger-rules.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import { lineTotal, pricesOf } from '#features/catalog/shown-price-rules.ts'
import { chargesOf } from '#features/orders/checkout/checkout-rules.ts'
import { advanceTerms } from '#features/pricing/advance-terms-rules.ts'
import { splitDates } from '#features/pricing/delivery-plan-rules.ts'
import { MAX_LINE } from '#features/pricing/quote-rules.ts'
import { type AdvanceTerms, deliveryCharge } from '#features/pricing/rules.ts'
import type { AdminFormState } from '../ui/use-form.ts'
import { parseAmount, poisha, type Poisha, poishaToTaka, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { latinDigits, toMilli } from '#lib/format/numbers.ts'

export interface LineValue {
  /** Identifies the line while others are added and removed. */
  key: number
  product_id: number | ''
  /** Text in the product field. */
  product_name: string
  quantity: string
  base_price: number
  price_on_order: string
  /** The price that the shop asks, with which a new line begins; absent for lines of a saved order. */
  usual_price?: number
  /** A note of the POS. */
  note?: string
  unit: string
  is_unique: boolean
  left: number | null
  /** The product's own delivery charge, used when the area has none; null without a product. */
  shipping: { group: DeliveryGroup; charge: number } | null
  picture_url?: string | null
  /** The product's own delivery date. */
  delivery_on?: string | null
  /** The required advance; null where it is unknown, as in lines of a saved order. */
  advance: AdvanceTerms | null
}

export interface OrderValues {
  name: string
  phone?: string | undefined
  email: string
  address: string
  area_id: string
  status: OrderStatus
  reason: string
  landmark: string
  note: string
  remarks: string
  list_on: string
  is_collection: boolean
  shipping_cost: string
  discount: string
  products: LineValue[]
}

/** A new order: beyond the fields of a saved one, its coupon and the money that was paid already. */
export interface NewOrderValues extends OrderValues {
  coupon: string
  advance_amount: string
  advance_method: AdminMethod
  advance_transaction: string
  /** Cash goes into the drawer of the own open shift, if there is one. */
  advance_drawer: boolean
}

/** The discount of a coupon on the lines of a new order. */
export interface PricedCoupon {
  code: string
  discount: Poisha
  deliverySaved: Poisha
}

/** What parts of the form use that a new order and a saved one share. */
export type SharedForm = Pick<AdminFormState<OrderValues>, 'values' | 'set' | 'errorOf'>

let lastKey = 0
const nextKey = () => (lastKey += 1)

export function blankLine(key = nextKey()): LineValue {
  return {
    key,
    product_id: '',
    product_name: '',
    quantity: '1',
    base_price: 0,
    price_on_order: '',
    unit: '',
    is_unique: false,
    left: null,
    shipping: null,
    advance: null,
  }
}

export const BLANK_ORDER: OrderValues = {
  name: '',
  phone: '',
  email: '',
  address: '',
  area_id: '',
  status: 'placed',
  reason: '',
  landmark: '',
  note: '',
  remarks: '',
  list_on: '',
  is_collection: false,
  shipping_cost: '',
  discount: '',
  products: [blankLine(0)],
}

export const BLANK_NEW_ORDER: NewOrderValues = {
  ...BLANK_ORDER,
  coupon: '',
  advance_amount: '',
  advance_method: 'cash',
  advance_transaction: '',
  advance_drawer: true,
}

/** The form values of a saved order. */
export function orderValues(order: AdminOrder): OrderValues {
  const { name, phone, email, address, status, landmark, note, remarks, list_on, is_collection } = order
  return {
    name,
    // Absent: a sale without a phone stays one.
    phone: phone === '' ? undefined : phone,
    email,
    address,
    status,
    landmark,
    note,
    remarks,
    list_on,
    is_collection,
    area_id: order.area_id === null ? '' : String(order.area_id),
    reason: order.reason ?? '',
    shipping_cost: String(order.shipping_cost),
    discount: order.discount === 0 ? '' : String(order.discount),
    products: order.lines.map(toLineValue),
  }
}

function toLineValue(line: AdminOrderLine): LineValue {
  const { product_id, unit, is_unique, left, base_price, delivery_group: group, delivery_charge: charge, product_on } = line
  return {
    key: -product_id,
    product_id,
    unit,
    is_unique,
    left,
    base_price,
    product_name: line.tag_number ? `${line.product_name} (${line.tag_number})` : line.product_name,
    quantity: String(line.quantity),
    price_on_order: String(line.price_on_order),
    note: line.note,
    shipping: { group, charge },
    picture_url: line.picture_url,
    delivery_on: product_on,
    advance: null,
  }
}

/** Puts a chosen product into a line, at the current price. */
export function chosenLine(line: LineValue, product: ProductDetailJson, name: string): LineValue {
  const usual = poishaToTaka(pricesOf(product).now)
  return {
    ...line,
    product_id: product.id,
    product_name: name,
    quantity: product.is_unique ? '1' : startQuantity(line.quantity, product.size),
    base_price: product.price,
    price_on_order: String(usual),
    usual_price: usual,
    unit: product.unit,
    is_unique: product.is_unique,
    left: product.max_quantity,
    shipping: { group: product.delivery_group, charge: product.shipping_cost },
    picture_url: product.picture ? `/uploads/${product.picture.token}-${Math.min(...product.picture.widths)}.webp` : product.image,
    delivery_on: product.delivery_date,
    advance: advanceTerms(product.advance_minimum, product.advance_percentage, product.advance_round_figure),
  }
}

/** A line whose product is being typed: nothing of the product that it had counts any longer. */
export function unchosenLine({ key, quantity }: LineValue, product_name: string): LineValue {
  return { ...blankLine(key), product_name, quantity }
}

/** The typed quantity; for products with pack sizes the first size. */
function startQuantity(typed: string, size: string | null): string {
  const sizes = parseSizes(size)
  return sizes.length > 0 && (typed.trim() === '' || typed === '1') ? String(initialQuantity(sizes) / 1000) : typed || '1'
}

/** The lines as the calls take them. */
export function sentLines(lines: readonly LineValue[]) {
  return lines.map(({ product_id, quantity, base_price, price_on_order, usual_price }) => {
    return { product_id, quantity, base_price, price_on_order, ...(usual_price === undefined ? {} : { usual_price }) }
  })
}

/** The total of a line; null while quantity or price is invalid, or the total is above that of any line. */
export function lineSum(line: Pick<LineValue, 'quantity' | 'price_on_order'>): Poisha | null {
  const quantity = latinDigits(line.quantity.trim())
  const price = parseAmount(line.price_on_order)
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(quantity) || price === null || price < 0 || price > MAX_PRICE) return null
  const quantityMilli = toMilli(Number(quantity))
  return (price / 1000) * quantityMilli > MAX_LINE ? null : lineTotal(price, quantityMilli)
}

/**
 * The order as typed, added up as the shop will do it; `emptyShipping` is the charge of an empty field. A discount counts up to
 * the total of the products.
 */
export function typedSums(
  values: Pick<OrderValues, 'products' | 'shipping_cost' | 'discount'> & Partial<Pick<OrderValues, 'is_collection'>>,
  emptyShipping: Poisha,
) {
  const goods = values.products.reduce((total, line) => total + (lineSum(line) ?? 0), 0) as Poisha
  const typed = values.shipping_cost.trim() === '' ? emptyShipping : (parseAmount(values.shipping_cost) ?? ZERO)
  const shipping = values.is_collection === true ? ZERO : typed
  const discount = poisha(Math.min(parseAmount(values.discount) ?? ZERO, goods))
  return { goods, shipping, discount, total: (goods + shipping - discount) as Poisha }
}

/** The delivery charge of the lines in an area by the pricing rules; null while it is unknown. */
export function areaShipping(values: Pick<OrderValues, 'products' | 'area_id'>, areas: readonly AreaJson[]): Poisha | null {
  const items = values.products.flatMap(({ shipping }) =>
    shipping ? [{ deliveryGroup: shipping.group, shipping: takaToPoisha(shipping.charge) }] : [],
  )
  const charge = deliveryCharge(items, chargesOf(areas.find(({ id }) => String(id) === values.area_id) ?? null))
  return items.length > 0 && charge.ok ? charge.value : null
}

/** What the charge of a saved order depends on. */
type Delivery = Pick<OrderValues, 'products' | 'area_id' | 'list_on'>

// Without a choice the saved area stays.
const isMoved = ({ area_id }: Delivery, order: AdminOrder) => area_id !== '' && area_id !== savedArea(order)

/** Whether the order comes in two deliveries, because its products have two dates. */
function isSplit({ products, list_on }: Delivery, order: AdminOrder): boolean {
  const dates = products.flatMap(({ product_id, delivery_on }) => (product_id === '' ? [] : [delivery_on]))
  if (!order.has_two_deliveries) return false
  // A draft of an earlier version holds lines without dates.
  if (dates.includes(undefined)) return Boolean(order.first_delivery_on)
  return splitDates(list_on, dates as (string | null)[]) !== null
}

/** The charge that the changes of a saved order bring (`followingCharge` of the server); null for none or an unknown charge. */
export function followingShipping(values: Delivery, order: AdminOrder, areas: readonly AreaJson[]): Poisha | null {
  const [one, split] = [areaShipping(values, areas), isSplit(values, order)]
  const maxShipping = order.max_shipping === null ? null : takaToPoisha(order.max_shipping)
  return followingCharge(one === null ? null : chargeUnderCoupon(one, { maxShipping, isSplit: split }), {
    isMoved: isMoved(values, order),
    wasSplit: Boolean(order.first_delivery_on),
    isSplit: split,
    before: takaToPoisha(order.shipping_cost),
  })
}

/** The usual charge of the area where added products have raised it above the saved order's and above the typed charge; null elsewhere. */
export function raisedShipping(values: OrderValues, order: AdminOrder, areas: readonly AreaJson[]): Poisha | null {
  if (values.area_id !== savedArea(order)) return null
  const [usual, saved] = [areaShipping(values, areas), areaShipping(orderValues(order), areas)]
  const charged = parseAmount(values.shipping_cost) ?? takaToPoisha(order.shipping_cost)
  return usual !== null && saved !== null && usual > saved && usual > charged ? usual : null
}

const savedArea = ({ area_id }: AdminOrder) => (area_id === null ? '' : String(area_id))

/** The field of the charge after a change of area, lines or day: it follows them, unless the staff typed another charge. */
export function followCharge(values: OrderValues, changes: Partial<Delivery>, order: AdminOrder, areas: readonly AreaJson[]): string {
  const filled = (of: Delivery) => {
    const following = followingShipping(of, order, areas)
    return String(following === null ? order.shipping_cost : poishaToTaka(following))
  }
  const [typed, before, after] = [values.shipping_cost.trim(), filled(values), filled({ ...values, ...changes })]
  if (before === after && changes.area_id === undefined) return values.shipping_cost
  return typed === '' || typed === before || typed === String(order.shipping_cost) ? after : typed
}
