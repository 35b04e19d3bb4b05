// Waits for a product: one SMS when it can be ordered again.
import type { ProductStatus } from '#features/catalog/types.ts'

/** A held or empty product may come back; a sold animal does not, and others can be ordered now. */
export function canBeAwaited(status: ProductStatus): boolean {
  return status === 'hold' || status === 'out-of-stock'
}
