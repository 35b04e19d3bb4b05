import type { CategoryKey } from '#features/catalog/category-keys.ts'
import { blankProduct } from '#features/catalog/products/blank-product.ts'
import { initialDeliveryDate } from '#features/catalog/products/initial-delivery-rules.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import type { ProductDetails, ProductRecord } from '#features/catalog/products/product-editor-queries.server.ts'

/** The values of the form: the record, with every number possibly a text while it is typed, and a typed link that is not in the list yet. */
export type ProductValues = Typed<Omit<ProductRecord, 'id' | 'version' | 'kind'>> & { video_link: string }

type Typed<Values> = { [Key in keyof Values]: Values[Key] extends number ? number | string : Values[Key] }

/** Fields of a new product only. */
export interface NewProductValues extends ProductValues {
  kind: 'animal' | 'goods'
  stock: string
  weight_kg: string
  weighed_on: string
}

export interface ProductChoices {
  categories: { id: number; key: CategoryKey | null; name: string; isCattle: boolean }[]
  seasons: string[]
  /** The current season, while it has rates: a new animal of Kurbani begins with it. The rates of another one are a wrong price. */
  season: string
  /** How labels of scales are read. */
  scales: ScaleLabelRule[]
  /** The advance of the settings in taka, with which the form of a new animal begins. */
  advance: number
  today: string
  /** The first delivery day of the Kurbani season, YYYY-MM-DD; null once it has begun. */
  seasonStart: string | null
}

export function valuesOf({ id: _id, version: _version, kind: _kind, state: _state, ...values }: ProductDetails): ProductValues {
  return { ...values, video_link: '' }
}

/**
 * The record that an open form belongs to, after the stock was counted. Where another editor has changed the fields meanwhile it stays the one
 * that was opened, so that saving is a conflict.
 */
export function openedAfterCount(opened: ProductDetails, counted: ProductDetails): ProductDetails {
  const fields = (product: ProductDetails) => JSON.stringify({ ...valuesOf(product), status: null })
  return fields(opened) === fields(counted) ? counted : opened
}

type BodyFields = 'pictures' | 'videos' | 'video_link' | 'discount_kind' | 'discount' | 'sold_by_live_weight' | 'price'

/**
 * The request body: pictures by their ids, and no discount and no price where their fields are hidden: an error there is not seen. A typed link
 * is the last video, so that saving does not lose it.
 */
export function bodyOf<Values extends Pick<ProductValues, BodyFields>>(values: Values) {
  const { pictures, video_link, ...rest } = values
  const link = video_link.trim()
  return {
    ...rest,
    price: values.sold_by_live_weight ? '' : values.price,
    discount: values.discount_kind === 'none' ? null : values.discount,
    videos: link === '' || values.videos.includes(link) ? values.videos : [...values.videos, link],
    picture_ids: pictures.map((one) => one.image_id),
  }
}

/** The season of the rates with which a new product begins: other categories than Kurbani have rates of no season. */
export function initialSeason(
  { kind, category_id }: Pick<NewProductValues, 'kind' | 'category_id'>,
  categories: ProductChoices['categories'],
  current: string,
): string {
  const isKurbani = categories.some((one) => one.key === 'kurbani' && one.id === Number(category_id))
  return kind === 'animal' && isKurbani ? current : ''
}

/** The values of an empty form. */
export function blankValues(
  kind: 'animal' | 'goods',
  { categories, season, advance, today, seasonStart }: ProductChoices,
): NewProductValues {
  const fitting = categories.filter((one) => one.isCattle === (kind === 'animal'))
  const { picture_ids: _ids, ...blank } = blankProduct(kind)
  const category_id = (fitting.at(-1) ?? categories[0])?.id ?? 0
  return {
    ...blank,
    category_id,
    delivery_on: initialDeliveryDate({ kind, category_id, further_category_ids: [] }, categories, seasonStart),
    season: initialSeason({ kind, category_id }, categories, season),
    // Without an advance an animal is not bookable by transfer.
    advance_minimum: kind === 'animal' && advance > 0 ? String(advance) : '',
    weighed_on: today,
    pictures: [],
    video_link: '',
  }
}
