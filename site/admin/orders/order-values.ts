// What the forms of an order hold, and what is sent of it.
import { MAX_PRICE } from '#features/catalog/limits.ts'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import type { OfficeOrder, OfficeOrderLine } from '#features/orders/office/order-details.server.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import { unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import { lineTotal } from '#features/pricing/rules.ts'
import { parseAmount, type Poisha, poishaToTaka, ZERO } from '#lib/money.ts'
import { latinDigits } from '#lib/numbers.ts'

export interface LineValue {
  /** Stays with its line while others come and go. */
  key: number
  product_id: number | ''
  /** What stands in the product's field. */
  product_name: string
  quantity: string
  base_price: number
  price_on_order: string
  unit: string
  is_unique: boolean
  left: number | null
  /** What delivery of the product costs where the area says nothing; null: not known here. */
  shipping: { group: 'cattle' | 'produce'; charge: number } | null
}

export interface OrderValues {
  name: string
  phone: string
  email: string
  address: string
  area_id: string
  status: OrderStatus
  reason: string
  landmark: string
  note: string
  remarks: string
  list_on: string
  shipping_cost: string
  discount: string
  products: LineValue[]
}

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
  shipping_cost: '',
  discount: '',
  products: [blankLine(0)],
}

/** An order as its form begins. */
export function orderValues(order: OfficeOrder): OrderValues {
  const { name, phone, email, address, status, landmark, note, remarks, list_on } = order
  return {
    name,
    phone,
    email,
    address,
    status,
    landmark,
    note,
    remarks,
    list_on,
    area_id: order.area_id === null ? '' : String(order.area_id),
    reason: order.reason ?? '',
    shipping_cost: String(order.shipping_cost),
    discount: order.discount === 0 ? '' : String(order.discount),
    products: order.lines.map(keptLine),
  }
}

function keptLine(line: OfficeOrderLine): LineValue {
  const { product_id, unit, is_unique, left, base_price } = line
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
    shipping: null,
  }
}

/** A line with a product that was just chosen, at the price the shop asks. */
export function chosenLine(line: LineValue, product: ProductDetailJson, name: string): LineValue {
  const base = Math.round(product.price * 100) as Poisha
  const discount =
    product.discount_type && product.discount !== null ? { kind: product.discount_type, value: Math.round(product.discount * 100) } : null
  return {
    ...line,
    product_id: product.id,
    product_name: name,
    quantity: product.is_unique ? '1' : line.quantity || '1',
    base_price: product.price,
    price_on_order: String(poishaToTaka(unitPriceAfterDiscount(base, discount))),
    unit: product.unit,
    is_unique: product.is_unique,
    left: product.max_quantity,
    shipping: { group: product.delivery_group, charge: product.shipping_cost },
  }
}

/** The lines as the calls take them. */
export function sentLines(lines: readonly LineValue[]) {
  return lines.map(({ product_id, quantity, base_price, price_on_order }) => ({ product_id, quantity, base_price, price_on_order }))
}

/** What a line comes to as typed; null while it cannot be worked out. */
export function lineSum(line: Pick<LineValue, 'quantity' | 'price_on_order'>): Poisha | null {
  const quantity = latinDigits(line.quantity.trim())
  const price = parseAmount(line.price_on_order)
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(quantity) || price === null || price < 0 || price > MAX_PRICE) return null
  return lineTotal(price, Math.round(Number(quantity) * 1000))
}

/** The order as typed, added up as the shop will do it. */
export function typedSums(values: Pick<OrderValues, 'products' | 'shipping_cost' | 'discount'>, usualShipping: Poisha) {
  const goods = values.products.reduce((total, line) => total + (lineSum(line) ?? 0), 0) as Poisha
  const shipping = values.shipping_cost.trim() === '' ? usualShipping : (parseAmount(values.shipping_cost) ?? ZERO)
  const discount = parseAmount(values.discount) ?? ZERO
  return { goods, shipping, discount, total: (goods + shipping - discount) as Poisha }
}
