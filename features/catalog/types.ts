// Products as the API and pages send them. Names are the specification's; money is a number of taka.

import type { ProductStatus } from '#features/stock/rules.ts'
import type { Picture } from '#lib/files/picture.ts'
import type { CategoryKey } from './category-keys.ts'
import type { DetailValues } from './products/field-values.ts'

export type { Picture, ProductStatus }

export const DISCOUNT_TYPES = ['percentage', 'fixed'] as const
export type DiscountType = (typeof DISCOUNT_TYPES)[number]
/** Each area has a charge for each group. */
export const DELIVERY_GROUPS = ['cattle', 'produce'] as const
export type DeliveryGroup = (typeof DELIVERY_GROUPS)[number]
export const UNITS = ['kg', 'piece', 'dozen', 'bundle'] as const
export type Unit = (typeof UNITS)[number]
/** How an animal was weighed. */
export const WEIGHING_METHODS = ['scale', 'tape', 'estimate'] as const
export type WeighingMethod = (typeof WEIGHING_METHODS)[number]

/** The delivery charge of a group in an area: poisha, `closed`, or null for the product's own charge. */
export type AreaCharge = number | 'closed' | null

/** An area of `GET /api/areas`, with its name in the reader's language. */
export interface AreaJson {
  id: number
  area_name: string
  /** In taka. Null: the product's own charge applies. False: no delivery for that group. */
  cattle_charge: number | null | false
  produce_charge: number | null | false
  /** The weekdays without delivery, 0 for Sunday; absent: none. */
  closed_weekdays?: number[]
}

export interface CategoryJson {
  id: number
  /** Never changes; null for a category without its own page. */
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
  /** Allowed quantity steps, comma-separated numbers ("5,10,20"); null for any whole number. */
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
  /** The first image in all widths. */
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
  method: WeighingMethod
  weighed_by: string
}

export const HEALTH_KINDS = ['vaccination', 'deworming', 'check', 'treatment'] as const

/** A health record of an animal. */
export interface HealthRecordJson {
  on_day: string
  kind: (typeof HEALTH_KINDS)[number]
  what: string
  vet: string
  /** A photo of the document; null without one. */
  picture_url: string | null
}

/** One product in full: its page and `GET /api/products/{id}`. */
export interface ProductDetailJson extends ProductJson, DetailValues {
  description: string
  pictures: Picture[]
  weigh_ins: WeighInJson[]
  /** Stock in units; null when not counted. */
  max_quantity: number | null
}

export interface PaginationJson {
  from: number
  to: number
  total: number
  lastPage: number
  currentPage: number
}

/** A trait by which a list can be narrowed: `name` is the query's field, texts are in the reader's language. */
export interface ListFilterJson {
  name: 'breed' | 'sex' | 'teeth' | 'coat'
  label: string
  options: { value: string; label: string; count: number }[]
}

export interface ListingJson {
  products: ProductJson[]
  /** Beyond the specified fields: the traits of the list's animals. */
  filters: ListFilterJson[]
  pagination: PaginationJson
  minPrice: number
  maxPrice: number
}

export interface SlotJson {
  slot_name: string
  /** Beyond the specified fields: the page with more of them; null or absent for none. */
  see_all?: string | null
  products: ProductJson[]
}

export interface PopupJson {
  id: number
  /** 'false': not shown to this browser yet. */
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
  /** Beyond the specified fields: without the discount the shown price would be outdated. */
  discount: number | null
  discount_type: DiscountType | null
  note: string
  delivery_date: string | null
}

/** A row of `GET /api/product-status-update` as received. Missing fields are unchanged: the discount is not a specified field. */
export type StatusUpdate = Pick<StatusUpdateJson, 'id' | 'status' | 'price'> & Partial<StatusUpdateJson>

/** `maxOrderQty` of a product that can be ordered without a count: the POS needs a number. */
export const UNCOUNTED_ORDER_QTY = 9999

/** A result of the search box and of the POS [C2]. */
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
