// What the shop tells a browser about a product. Names are the specification's; money is a number of taka.

import type { ProductStatus } from '#features/stock/rules.ts'
import type { CategoryKey } from './category-keys.ts'
import type { DetailValues } from './products/field-values.ts'

export type { ProductStatus }
export type DiscountType = 'percentage' | 'fixed'
export type DeliveryGroup = 'cattle' | 'produce'
export type Unit = 'kg' | 'piece' | 'dozen' | 'bundle'

/** A kept picture: files are `/uploads/{token}-{w}.avif` and `.webp` for every w of widths. */
export interface Picture {
  token: string
  width: number
  height: number
  widths: number[]
  /** A tiny data: URI shown while the file loads. */
  placeholder: string
  isIllustration: boolean
}

export interface CategoryJson {
  id: number
  /** Stable; null for a category without a page of its own. */
  key: CategoryKey | null
  /** The English name. */
  name: string
  /** The name in the reader's language. */
  label: string
}

/** A product in a list: the card, the cart, the status refresh. */
export interface ProductJson {
  id: number
  product_type: string
  price: number
  unit: Unit
  status: ProductStatus
  discount: number | null
  discount_type: DiscountType | null
  delivery_date: string | null
  note: string
  /** Allowed quantity steps, comma-separated numbers ("5,10,20"); null when any whole number will do. */
  size: string | null
  advance_minimum: number
  /** Percent of the line, 0 when unset. */
  advance_percentage: number
  advance_round_figure: number
  shipping_cost: number
  coupon_applicable: boolean
  categories: CategoryJson[]
  images: { url: string }[]
  image: string | null
  full_image_path: string | null
  media: string[]
  /** The first image in all its sizes. */
  picture: Picture | null
  delivery_group: DeliveryGroup
  /** Whether cash on delivery is offered for it. */
  cod_allowed: boolean
  is_unique: boolean
  tag_number: string | null
  breed: string | null
  weight_kg: number | null
  weighed_on: string | null
  /** Taka a kg when the animal is sold by live weight. */
  rate_per_kg: number | null
  barcode: string | null
  qr_url: string
}

export interface WeighInJson {
  weighed_on: string
  weight_kg: number
  method: 'scale' | 'tape' | 'estimate'
  weighed_by: string
}

/** An entry of an animal's health papers. */
export interface HealthRecordJson {
  on_day: string
  kind: 'vaccination' | 'deworming' | 'check' | 'treatment'
  what: string
  vet: string
  /** The paper itself, photographed; null when there is no picture. */
  picture_url: string | null
}

/** One product in full: its page and `GET /api/products/{id}`. */
export interface ProductDetailJson extends ProductJson, DetailValues {
  description: string
  pictures: Picture[]
  weigh_ins: WeighInJson[]
  /** How many can be ordered now: null when not counted. */
  max_quantity: number | null
}

export interface PaginationJson {
  from: number
  to: number
  total: number
  lastPage: number
  currentPage: number
}

export interface ListingJson {
  products: ProductJson[]
  pagination: PaginationJson
  minPrice: number
  maxPrice: number
}

export interface SlotJson {
  slot_name: string
  products: ProductJson[]
}

export interface PopupJson {
  id: number
  /** 'false' means: not shown to this browser yet. */
  shown: 'true' | 'false'
  image: string | null
  picture: Picture | null
  alt: string
  link: string
}

/** One row of `GET /api/product-status-update`. */
export interface StatusUpdateJson {
  id: number
  status: ProductStatus
  price: number
  /** Beyond the specified fields: without them a price as shown would be the one before. */
  discount: number | null
  discount_type: DiscountType | null
  note: string
  delivery_date: string | null
}

/** A row of `GET /api/product-status-update` as received. What it leaves out is as before: the discount is not among the specified fields. */
export type StatusUpdate = Pick<StatusUpdateJson, 'id' | 'status' | 'price'> & Partial<StatusUpdateJson>

/** A row of the search box and the till [C2]. */
export interface SearchResultJson {
  id: number
  name: string
  product_type: string
  price: number
  unit: Unit
  status: ProductStatus
  images: { url: string }[]
  maxOrderQty: number
  shipping_cost: number
  barcode: string | null
  tag_number: string | null
}
