// The words of products in the audit log, apart from the others: the list of product fields is large, and other pages have no use for it.
import { choiceText, FIELD_LIST } from '#features/catalog/products/field-values.ts'
import type { ProductWords } from './field-labels.ts'

export const PRODUCT_WORDS: ProductWords = {
  labels: {
    ...Object.fromEntries(FIELD_LIST.map(({ key, label }) => [key, label])),
    image_id: 'products.health-picture',
    release: 'returned.outcome',
    pictures: 'products.pictures',
    archived: 'products.archived',
  },
  choice: choiceText,
}
