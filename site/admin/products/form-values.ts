import { blankProduct } from '#features/catalog/products/blank-product.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import type { ProductDetails, ProductRecord } from '#features/catalog/products/product-editor-queries.server.ts'

/** What the form holds: the record, its numbers as typed. */
export type ProductValues = Omit<ProductRecord, 'id' | 'version' | 'kind' | Typed> & Record<Typed, string | number>

/** Amounts: a number as it is kept, a text as it is typed. */
type Typed = 'price' | 'shipping_cost' | 'advance_minimum' | 'advance_percentage' | 'advance_round_figure'

/** What a new product adds to it. */
export interface NewProductValues extends ProductValues {
  kind: 'animal' | 'goods'
  stock: string
  weight_kg: string
  weighed_on: string
}

export interface ProductChoices {
  categories: { id: number; name: string; isCattle: boolean }[]
  seasons: string[]
  /** What the labels of scales mean. */
  scales: ScaleLabelRule[]
  today: string
}

export function valuesOf({ id: _id, version: _version, kind: _kind, around: _around, ...values }: ProductDetails): ProductValues {
  return values
}

/** As the server takes it: pictures by their ids. */
export function bodyOf<Values extends { pictures: UploadedImage[] }>({ pictures, ...rest }: Values) {
  return { ...rest, picture_ids: pictures.map((one) => one.image_id) }
}

/** A product that nothing has been said of yet. */
export function blankValues(kind: 'animal' | 'goods', { categories, seasons, today }: ProductChoices): NewProductValues {
  const fitting = categories.filter((one) => one.isCattle === (kind === 'animal'))
  const { picture_ids: _ids, ...blank } = blankProduct(kind)
  return {
    ...blank,
    category_id: (fitting.at(-1) ?? categories[0])?.id ?? 0,
    season: kind === 'animal' ? (seasons[0] ?? '') : '',
    weighed_on: today,
    pictures: [],
  }
}
