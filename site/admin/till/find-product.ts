import type { SearchResultJson } from '#features/catalog/types.ts'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import type { TillLine } from '#features/pos/rules.ts'
import { pricesOf } from '#features/pricing/product-prices.ts'
import { takaToPoisha } from '#lib/money.ts'
import { call } from '#site/api-client.ts'

/** Products for what was typed or scanned; null when no answer came. */
export async function searchProducts(text: string, signal?: AbortSignal): Promise<SearchResultJson[] | null> {
  const answer = await call<SearchResultJson[]>(`/api/product/search?q=${encodeURIComponent(text)}`, signal ? { signal } : {})
  return answer.ok && Array.isArray(answer.body) ? answer.body : null
}

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

/** Everything a line needs of a product, its price after discount among it; null when no answer came. */
export async function fetchLine(found: SearchResultJson): Promise<Omit<TillLine, 'quantity'> | null> {
  const answer = await call<ProductDetailJson>(`/api/products/${found.id}`)
  if (!answer.ok) return null
  const { id, unit, is_unique, delivery_group, shipping_cost } = answer.body
  const about = { id, name: found.name, unit, price: pricesOf(answer.body).now, image: found.images[0]?.url ?? null }
  return { ...about, isAnimal: is_unique, group: delivery_group, shipping: takaToPoisha(shipping_cost) }
}
