// Reads the cart from the browser's storage, which may hold anything: an older format, data of another program, a truncated text.
import { readTaka } from '#lib/format/money.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { isInCategory, readCategoryKey } from '../catalog/category-keys.ts'
import { MAX_PRICE_TAKA } from '../catalog/limits.ts'
import { readQuantity } from '../catalog/quantity-rules.ts'
import type { DeliveryGroup, ProductJson } from '../catalog/types.ts'
import { firstQuantity, isAllowed, MAX_LINES, withQuantity, type CartItem } from './rules.ts'

const MAX_STORED_LENGTH = 1_000_000

/** Parses a stored cart. Never throws: invalid lines and second lines of a product are dropped. */
export function parseCart(stored: string | null | undefined): CartItem[] {
  const items = readList(stored)
    .map(readItem)
    .filter((item) => item !== null)
  const first = new Map<number, CartItem>()
  for (const item of items) if (!first.has(item.productId)) first.set(item.productId, item)
  return [...first.values()].slice(0, MAX_LINES)
}

/** Serializes a cart for storage. */
export function storedCart(cart: readonly CartItem[]): string {
  return JSON.stringify(cart)
}

/** A product that was added before hydration. `milli` is the chosen pack, if one was pressed. */
export type PendingProduct = [load: unknown, product: ProductJson, milli?: number]

/** Parses stored pending products. Never throws: entries without a product are dropped. */
export function parsePending(stored: string | null | undefined): PendingProduct[] {
  return (readList(stored) as (PendingProduct | [unknown, null] | null)[]).filter((one): one is PendingProduct => !!one?.[1]?.id)
}

/** A product as a new cart item, in a quantity in thousandths. The first size replaces a quantity that cannot be ordered. */
export function cartItemOf(product: ProductJson, milli?: number): CartItem {
  const item: CartItem = {
    productId: product.id,
    productName: product.product_type,
    productImage: product.image ?? '',
    basePrice: product.price,
    productPrice: product.price,
    quantity: 1,
    size: product.size,
    discount: product.discount,
    discount_type: product.discount_type,
    Unit: product.unit,
    couponApplicable: product.coupon_applicable,
    advanceMinimum: product.advance_minimum,
    advancePercentage: product.advance_percentage,
    advanceRoundFigure: product.advance_round_figure,
    shippingCost: product.shipping_cost,
    categories: product.categories,
    isUnique: product.is_unique,
    deliveryGroup: product.delivery_group,
    codAllowed: product.cod_allowed,
    tagNumber: product.tag_number,
  }
  return withQuantity(item, milli && isAllowed(item, milli) ? milli : firstQuantity(item))
}

function readList(stored: string | null | undefined): unknown[] {
  if (typeof stored !== 'string' || stored.length > MAX_STORED_LENGTH) return []
  try {
    const parsed: unknown = JSON.parse(stored)
    return Array.isArray(parsed) ? parsed.slice(0, 10 * MAX_LINES) : []
  } catch {
    return []
  }
}

type Fields = (name: string) => unknown

function readItem(raw: unknown): CartItem | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return null
  const of: Fields = (name) => (Object.hasOwn(raw, name) ? (raw as Record<string, unknown>)[name] : undefined)
  const productId = readWholeNumber(of('productId'))
  const basePrice = price(of('basePrice'))
  const milli = readQuantity(number(of('quantity')))
  const name = text(of('productName'))
  if (productId === null || basePrice === null || milli === null || name === '') return null
  const item = withQuantity({ ...terms(of), productId, basePrice, productName: name, productPrice: 0, quantity: 1 }, milli)
  // The sizes may have changed: such a quantity stays, is flagged, and must be changed before it is ordered.
  return item.isUnique && milli !== 1000 ? null : item
}

function terms(of: Fields): Omit<CartItem, 'productId' | 'basePrice' | 'productName' | 'productPrice' | 'quantity'> {
  const categories = categoryList(of('categories'))
  const discount = price(of('discount'))
  const type = of('discount_type')
  const kind = type === 'percentage' || type === 'fixed' ? type : null
  const isUnique = of('isUnique') === true
  return {
    productImage: address(of('productImage')),
    size: text(of('size')) === '' ? null : text(of('size')),
    discount: kind === null ? null : discount,
    discount_type: discount === null ? null : kind,
    Unit: text(of('Unit')),
    couponApplicable: of('couponApplicable') === true,
    advanceMinimum: price(of('advanceMinimum')) ?? 0,
    advancePercentage: Math.min(100, price(of('advancePercentage')) ?? 0),
    advanceRoundFigure: price(of('advanceRoundFigure')) ?? 0,
    shippingCost: price(of('shippingCost')) ?? 0,
    categories,
    isUnique,
    deliveryGroup: group(of('deliveryGroup'), isUnique || isInCategory({ categories }, 'kurbani')),
    codAllowed: of('codAllowed') !== false,
    tagNumber: text(of('tagNumber')) === '' ? null : text(of('tagNumber')),
  }
}

function group(value: unknown, looksLikeAnAnimal: boolean): DeliveryGroup {
  if (value === 'cattle' || value === 'produce') return value
  return looksLikeAnAnimal ? 'cattle' : 'produce'
}

// Older carts stored numbers as texts.
function number(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,12}(\.\d{1,3})?$/.test(value) ? Number(value) : value
}

function readWholeNumber(value: unknown): number | null {
  const whole = number(value)
  return typeof whole === 'number' && Number.isSafeInteger(whole) && whole > 0 ? whole : null
}

function price(value: unknown): number | null {
  const amount = number(value)
  return typeof amount === 'number' && amount >= 0 && amount <= MAX_PRICE_TAKA && readTaka(amount) !== null ? amount : null
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, TEXT_LIMIT) : ''
}

// Pictures of this shop or of an https URL only, never a script.
function address(value: unknown): string {
  const found = typeof value === 'string' && value.length <= 2000 ? value : ''
  return /^\/(?![/\\])/.test(found) || found.startsWith('https://') ? found : ''
}

function categoryList(value: unknown): CartItem['categories'] {
  if (!Array.isArray(value)) return []
  return value.slice(0, 20).flatMap((raw: unknown) => {
    if (typeof raw !== 'object' || raw === null) return []
    const { id, key, name, label } = raw as Record<string, unknown>
    const english = text(name)
    return english === ''
      ? []
      : [{ id: readWholeNumber(id) ?? 0, key: readCategoryKey(key, english), name: english, label: text(label) || english }]
  })
}
