import { sql } from 'kysely'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import type { HoldReason } from '#features/stock/rules.ts'
import { dhakaDay } from '#lib/db/dhaka-day.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { CategoryKey } from './category-keys.ts'
import { pictureJson } from './media/picture-columns.server.ts'
import type { CategoryJson, DeliveryGroup, DiscountType, Picture, ProductJson, ProductStatus, Unit } from './types.ts'
import { poishaToTaka, shareInTaka } from '#lib/format/money.ts'

/** A product row of lists and cards; see `productColumns`. */
export interface ProductRow {
  id: number
  name_en: string
  name_bn: string
  price_poisha: number
  unit: Unit
  status: ProductStatus
  discount_kind: DiscountType | null
  discount_value: number | null
  sizes_milli: number[]
  shipping_poisha: number
  advance_minimum_poisha: number
  advance_percent_bp: number
  advance_round_poisha: number
  coupon_applicable: boolean
  delivery_on: string | null
  /** The delivery date to show; see `shownDeliveryOn`. */
  shown_delivery_on: string | null
  note_en: string
  note_bn: string
  hold_reason: HoldReason | null
  is_unique: boolean
  stock_milli: number | null
  barcode: string | null
  tag_number: string | null
  breed_en: string | null
  breed_bn: string | null
  sold_by_live_weight: boolean
  weight_grams: number | null
  weighed_on: string | null
  version: number
  delivery_group: DeliveryGroup
  cod_allowed: boolean
  categories: { id: number; key: CategoryKey | null; en: string; bn: string }[]
  pictures: Picture[]
  videos: string[]
}

/** A product row for pricing: without what is only shown. */
export type SoldProductRow = Omit<ProductRow, 'pictures' | 'videos' | 'shown_delivery_on'>

/** The columns of a `SoldProductRow`; `p` is products, `c` its own category. */
export const soldProductColumns = sql`
  p.id, p.name_en, p.name_bn, p.price_poisha, p.unit, p.status, p.discount_kind, p.discount_value, p.sizes_milli, p.shipping_poisha,
  p.advance_minimum_poisha, p.advance_percent_bp, p.advance_round_poisha, p.coupon_applicable, p.delivery_on, p.note_en, p.note_bn,
  p.hold_reason, p.is_unique, p.stock_milli, p.barcode, p.tag_number, p.breed_en, p.breed_bn, p.sold_by_live_weight, p.weight_grams,
  p.weighed_on, p.version, c.delivery_group, c.cod_allowed,
  coalesce((select json_agg(json_build_object('id', k.id, 'key', k.key, 'en', k.name_en, 'bn', k.name_bn) order by k.id <> p.category_id, k.id) from categories k
     where k.id = any(p.category_id || array(select category_id from product_categories where product_id = p.id))), '[]') as categories`

const cutoffHour = sql`coalesce((select value::int from settings where key = 'cutoff_hour' and jsonb_typeof(value) = 'number'), ${sql.lit(DEFAULT_SETTINGS.cutoff_hour)})`

/**
 * The delivery date of a product `p` to show: null once it is before the list day of an order of now (`listDate`). Orders take such a date as
 * none.
 */
export const shownDeliveryOn = sql`(case when p.delivery_on > ${dhakaDay(sql`(now() + make_interval(hours => 24 - ${cutoffHour}))`)} then p.delivery_on end)`

/** The columns of a `ProductRow`; `p` is products, `c` its own category. */
export const productColumns = sql`${soldProductColumns}, ${shownDeliveryOn} as shown_delivery_on,
  coalesce((select json_agg(${pictureJson} order by m.position)
     from product_media m join images i on i.id = m.image_id where m.product_id = p.id), '[]') as pictures,
  coalesce((select json_agg(m.video_url order by m.position) from product_media m where m.product_id = p.id and m.kind = 'video'), '[]') as videos`

/** The path in the QR code of a product: the public card of an animal, which exists after the sale too, else the product page. */
export function publicCardPath(product: { id: number; is_unique: boolean }): string {
  return `/${product.is_unique ? 'animal' : 'product'}/${product.id}`
}

const taka = (poisha: number) => poisha / 100

/** The WebP URL of the smallest file with at least this width, else of the largest one. */
export function pictureUrl(picture: Pick<Picture, 'token' | 'widths'>, width: number): string {
  const fitting = picture.widths.find((w) => w >= width) ?? picture.widths.at(-1)
  return `/uploads/${picture.token}-${fitting}.webp`
}

/** The note beside the status: the product's own note, or the reason of a hold by an order. */
export function noteOf(row: Pick<ProductRow, 'hold_reason' | 'status' | 'note_en' | 'note_bn'>, lang: Lang): string {
  if (row.hold_reason === 'booked' && row.status === 'hold') return translate(lang)('catalog.booked-note')
  return lang === 'bn' ? row.note_bn : row.note_en
}

/**
 * The weight from which the price is computed; null for a product that is not sold by live weight. A booked or sold animal keeps its price
 * while it is weighed, so its price is not that of its weight.
 */
function pricedGrams(row: Pick<ProductRow, 'sold_by_live_weight' | 'weight_grams' | 'hold_reason' | 'status'>): number | null {
  const keepsPrice = row.status === 'sold' || (row.status === 'hold' && row.hold_reason === 'booked')
  return row.sold_by_live_weight && !keepsPrice ? row.weight_grams : null
}

/** The specified JSON of a product, in the reader's language. */
export function productJson(row: ProductRow, lang: Lang): ProductJson {
  const bn = lang === 'bn'
  const grams = pricedGrams(row)
  const urls = row.pictures.map((picture) => pictureUrl(picture, 800))
  const categories: CategoryJson[] = row.categories.map((k) => ({ id: k.id, key: k.key, name: k.en, label: bn ? k.bn : k.en }))
  return {
    id: row.id,
    product_type: bn ? row.name_bn : row.name_en,
    price: taka(row.price_poisha),
    unit: row.unit,
    status: row.status,
    discount: row.discount_value === null ? null : row.discount_value / 100,
    discount_type: row.discount_kind,
    delivery_date: row.shown_delivery_on,
    note: noteOf(row, lang),
    size: row.sizes_milli.length > 0 ? row.sizes_milli.map((milli) => milli / 1000).join(',') : null,
    advance_minimum: taka(row.advance_minimum_poisha),
    advance_percentage: row.advance_percent_bp / 100,
    advance_round_figure: taka(row.advance_round_poisha),
    shipping_cost: taka(row.shipping_poisha),
    coupon_applicable: row.coupon_applicable,
    categories,
    images: urls.map((url) => ({ url })),
    image: urls[0] ?? null,
    full_image_path: row.pictures[0] ? pictureUrl(row.pictures[0], 1200) : null,
    media: row.videos,
    picture: row.pictures[0] ?? null,
    delivery_group: row.delivery_group,
    cod_allowed: row.cod_allowed,
    is_unique: row.is_unique,
    tag_number: row.tag_number,
    breed: bn ? row.breed_bn : row.breed_en,
    weight_kg: row.weight_grams === null ? null : row.weight_grams / 1000,
    weighed_on: row.weighed_on,
    rate_per_kg: grams ? poishaToTaka(shareInTaka(row.price_poisha, 1000, grams)) : null,
    barcode: row.barcode,
    qr_url: publicCardPath(row),
  }
}
