import { type BlankProduct, FIELD_LIST } from './field-values.ts'
import type { ProductKind } from './product-rules.ts'

/** The initial values of the form of a new product. */
export function blankProduct(kind: ProductKind): BlankProduct {
  const isAnimal = kind === 'animal'
  return Object.fromEntries(
    FIELD_LIST.map(({ key, blank }) => [key, typeof blank === 'function' ? (blank as (isAnimal: boolean) => unknown)(isAnimal) : blank]),
  ) as BlankProduct
}
