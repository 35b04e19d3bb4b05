import { toMilli } from '#lib/format/numbers.ts'
import { type ProductDetailJson, type SearchResultJson, UNCOUNTED_ORDER_QTY } from '#features/catalog/types.ts'
import { LOOKUP_TIMEOUT, type PosLine } from '#features/pos/rules.ts'
import type { PosProduct } from '#features/pos/device-catalog.ts'
import { parseSizes } from '#features/catalog/quantity-rules.ts'
import { isOrderable } from '#features/catalog/rules.ts'
import { pricesOf } from '#features/catalog/shown-price-rules.ts'
import { codeForms } from '#lib/format/latin-code.ts'
import { foldText } from '#lib/format/text.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { poishaToTaka, takaToPoisha } from '#lib/format/money.ts'
import { afterPaint } from './after-paint.ts'
import { catalog, refreshCatalog } from './device/catalog.ts'
import { posCall } from './device/network.ts'

/** The stock that the search shows for a product that can be sold, in thousandths; null: not counted, or not for sale now. */
export function stockLeft({ status, maxOrderQty }: Pick<SearchResultJson, 'status' | 'maxOrderQty'>): number | null {
  return isOrderable(status) && maxOrderQty !== UNCOUNTED_ORDER_QTY ? toMilli(maxOrderQty) : null
}

/** Searches the server for typed or scanned text; null without a response. */
export async function searchProducts(text: string, signal?: AbortSignal): Promise<SearchResultJson[] | null> {
  const options = { timeoutMs: LOOKUP_TIMEOUT, ...(signal ? { signal } : {}) }
  const answer = await posCall<SearchResultJson[]>(`/api/product/search?q=${encodeURIComponent(text)}`, options)
  if (!answer.ok || !Array.isArray(answer.body)) return null
  // Shows the price after the discount, where the device knows it.
  return answer.body.map((found) => {
    const known = catalog.product(found.id)
    return known ? { ...found, price: poishaToTaka(known.price) } : found
  })
}

/** Searches the catalog of this device. */
export function searchDevice(text: string, lang: Lang): SearchResultJson[] {
  return catalog.search(text).map((product) => toResult(product, lang))
}

/** The product on this device with this barcode or tag. */
export function scannedOnDevice(code: string, lang: Lang): SearchResultJson | null {
  const product = catalog.byCode(code)
  return product && toResult(product, lang)
}

/** The product on this device with this id. */
export function productOnDevice(id: number, lang: Lang): SearchResultJson | null {
  const product = catalog.product(id)
  return product ? toResult(product, lang) : null
}

/** Merges the server's results into the device's list; products already shown keep their position. */
export function mergeResults(onDevice: readonly SearchResultJson[], answer: readonly SearchResultJson[]): SearchResultJson[] {
  const fresh = new Map(answer.map((one) => [one.id, one]))
  const shown = onDevice.flatMap(({ id }) => fresh.get(id) ?? [])
  return [...shown, ...answer.filter((one) => !shown.includes(one))]
}

function toResult(product: PosProduct, lang: Lang): SearchResultJson {
  const name = nameOf(product, lang)
  const left = product.stockMilli === null ? UNCOUNTED_ORDER_QTY : product.stockMilli / 1000
  return {
    id: product.id,
    name,
    product_type: name,
    price: poishaToTaka(product.price),
    unit: product.unit,
    status: product.status,
    images: product.image ? [{ url: product.image }] : [],
    maxOrderQty: isOrderable(product.status) ? left : 0,
    shipping_cost: poishaToTaka(product.shipping),
    barcode: product.barcode,
    tag_number: product.tag,
  }
}

const nameOf = ({ nameEn, nameBn }: PosProduct, lang: Lang) => (lang === 'bn' ? nameBn : nameEn)

/** The product of a scan: an exact barcode or tag in the digits of either script, or the only match of a name. A part of a barcode matches nothing. */
export function matchScan(found: readonly SearchResultJson[], text: string): SearchResultJson | null {
  const typed = foldText(text)
  const codes = [typed, ...codeForms(typed)]
  const isCode = (one: string | null) => one !== null && codes.includes(foldText(one))
  return (
    found.find((one) => isCode(one.barcode) || isCode(one.tag_number)) ??
    (found.length === 1 && !/^\d+$/.test(typed) ? (found[0] ?? null) : null)
  )
}

/** Products on hold may be added: a supervisor approves them when the sale is submitted. */
export const canBeSold = (product: SearchResultJson) =>
  product.status === 'hold' || (product.status !== 'out-of-stock' && product.maxOrderQty > 0)

/** A sale line with the price after the discount, as this device knows it, refreshed afterwards; null when it does not know the product. */
export function lineOnDevice(found: SearchResultJson, lang: Lang): Omit<PosLine, 'quantity'> | null {
  const known = catalog.product(found.id)
  afterPaint(refreshCatalog)
  if (!known) return null
  const { id, unit, price, image, isAnimal, group, shipping, sizesMilli, deliveryOn } = known
  const about = { id, name: nameOf(known, lang), unit, price, image, isAnimal, isHeld: known.status === 'hold', group, shipping }
  return { ...about, sizesMilli, deliveryOn, stockMilli: stockLeft(found) }
}

/** The same from the server, for a product that the device does not know; null when the server has none. */
export async function fetchLine(found: SearchResultJson): Promise<Omit<PosLine, 'quantity'> | null> {
  const answer = await posCall<ProductDetailJson>(`/api/products/${found.id}`, { timeoutMs: LOOKUP_TIMEOUT })
  if (!answer.ok) return null
  const { id, unit, size, is_unique, delivery_group, delivery_date, shipping_cost } = answer.body
  const image = found.images[0]?.url ?? null
  const about = { id, name: found.name, unit, price: pricesOf(answer.body).now, image, sizesMilli: parseSizes(size) }
  const more = { isAnimal: is_unique, stockMilli: stockLeft(found), deliveryOn: delivery_date }
  return { ...about, ...more, isHeld: found.status === 'hold', group: delivery_group, shipping: takaToPoisha(shipping_cost) }
}
