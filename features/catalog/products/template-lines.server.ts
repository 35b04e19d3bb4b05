import { type CategoryKey, findByKey } from '#features/catalog/category-keys.ts'
import type { CsvCell } from '#lib/csv/csv.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { blankProduct } from './blank-product.ts'
import { exportLine } from './export-products.server.ts'
import type { ProductDetails } from './product-editor-queries.server.ts'

interface NamedCategory {
  id: number
  key: CategoryKey | null
  name_en: string
  name_bn: string
}

/** The example rows of the template for imports: a hidden product and a hidden animal. */
export function templateLines(categories: readonly NamedCategory[], lang: Lang, today: string): CsvCell[][] {
  const names = new Map(categories.map(({ id, name_en, name_bn }) => [id, lang === 'bn' ? name_bn : name_en]))
  const goods = {
    ...blankProduct('goods'),
    category_id: findByKey(categories, 'fruits')?.id,
    name_en: 'Example: Mango',
    name_bn: 'নমুনা: আম',
    price: 120,
    sizes: '5, 10',
    visible: false,
    state: { stock: 100 },
  }
  const animal = {
    ...blankProduct('animal'),
    category_id: findByKey(categories, 'beef')?.id,
    name_en: 'Example: Bull',
    name_bn: 'নমুনা: ষাঁড়',
    tag_number: 'EX-1',
    sold_by_live_weight: false,
    price: 90_000,
    advance_minimum: 10_000,
    visible: false,
    state: { weight_kg: 200, weighed_on: today },
  }
  return [goods, animal].map((example) => exportLine(example as unknown as ProductDetails, names, lang))
}
