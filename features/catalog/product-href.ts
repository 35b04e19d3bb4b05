import type { ProductStatus } from './types.ts'

/** The link of a product. A held product leads to the page that explains the hold. */
export function productHref(product: { id: number; status: ProductStatus }): string {
  return product.status === 'hold' ? `/order/place/${product.id}` : `/product/${product.id}`
}
