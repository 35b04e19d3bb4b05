import type { SearchResultJson } from '#features/catalog/types.ts'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import type { PosLine } from '#features/pos/rules.ts'
import type { PosProduct } from '#features/pos/device-catalog.ts'
import { pricesOf } from '#features/catalog/shown-price-rules.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { poishaToTaka, takaToPoisha } from '#lib/format/money.ts'
import { catalog, refreshCatalog } from './device/catalog.ts'
import { posCall } from './device/network.ts'

/** What is not counted never runs out; the call says a number all the same [C2]. */
const UNCOUNTED = 9999

/** Products for what was typed or scanned, from the shop; null when no answer came. */
export async function searchProducts(text: string, signal?: AbortSignal): Promise<SearchResultJson[] | null> {
  const answer = await posCall<SearchResultJson[]>(`/api/product/search?q=${encodeURIComponent(text)}`, signal ? { signal } : {})
  if (!answer.ok || !Array.isArray(answer.body)) return null
  // The list shows what is asked, not the price before a discount.
  return answer.body.map((found) => {
    const known = catalog.product(found.id)
    return known ? { ...found, price: poishaToTaka(known.price) } : found
  })
}

/** The same from the goods on this device, at once. */
export function searchDevice(text: string, lang: Lang): SearchResultJson[] {
  return catalog.search(text).map((product) => resultOf(product, lang))
}

/** The product on this device with this barcode or tag. */
export function scannedOnDevice(code: string, lang: Lang): SearchResultJson | null {
  const product = catalog.byCode(code)
  return product && resultOf(product, lang)
}

/** The shop's answer where the device's list stands already: what was there keeps its place under the finger. */
export function inPlace(onDevice: readonly SearchResultJson[], answer: readonly SearchResultJson[]): SearchResultJson[] {
  const fresh = new Map(answer.map((one) => [one.id, one]))
  const there = onDevice.flatMap(({ id }) => fresh.get(id) ?? [])
  return [...there, ...answer.filter((one) => !there.includes(one))]
}

function resultOf(product: PosProduct, lang: Lang): SearchResultJson {
  const name = nameOf(product, lang)
  const isForSale = product.status === 'in-stock' || product.status === 'pre-book'
  const left = product.stockMilli === null ? UNCOUNTED : product.stockMilli / 1000
  return {
    id: product.id,
    name,
    product_type: name,
    price: poishaToTaka(product.price),
    unit: product.unit,
    status: product.status,
    images: product.image ? [{ url: product.image }] : [],
    maxOrderQty: isForSale ? left : 0,
    shipping_cost: poishaToTaka(product.shipping),
    barcode: product.barcode,
    tag_number: product.tag,
  }
}

const nameOf = ({ nameEn, nameBn }: PosProduct, lang: Lang) => (lang === 'bn' ? nameBn : nameEn)

/** What a scan means: the product with this barcode or tag, or the only one of a name. Half a barcode means nothing. */
export function scanned(found: readonly SearchResultJson[], text: string): SearchResultJson | null {
  const same = (one: string | null) => one?.toLowerCase() === text.toLowerCase()
  return (
    found.find((one) => same(one.barcode) || same(one.tag_number)) ??
    (found.length === 1 && !/^\d+$/.test(text) ? (found[0] ?? null) : null)
  )
}

/** What is held back may be put on the list: a supervisor is asked when it is placed. */
export const canBeSold = (product: SearchResultJson) =>
  product.status === 'hold' || (product.status !== 'out-of-stock' && product.maxOrderQty > 0)

/**
 * Everything a line needs of a product, its price after discount among it: from this device, and checked with the shop meanwhile; from
 * the shop alone what the device does not know yet. Null when neither has it.
 */
export async function fetchLine(found: SearchResultJson, lang: Lang): Promise<Omit<PosLine, 'quantity'> | null> {
  const known = catalog.product(found.id)
  refreshCatalog()
  if (known) {
    const { id, unit, price, image, isAnimal, group, shipping } = known
    return { id, name: nameOf(known, lang), unit, price, image, isAnimal, isHeld: known.status === 'hold', group, shipping }
  }
  const answer = await posCall<ProductDetailJson>(`/api/products/${found.id}`)
  if (!answer.ok) return null
  const { id, unit, is_unique, delivery_group, shipping_cost } = answer.body
  const about = { id, name: found.name, unit, price: pricesOf(answer.body).now, image: found.images[0]?.url ?? null }
  return { ...about, isAnimal: is_unique, isHeld: found.status === 'hold', group: delivery_group, shipping: takaToPoisha(shipping_cost) }
}
