// The compact row format of the POS catalog: devices store up to 100,000 products.
import type { DeliveryGroup, ProductStatus, Unit } from '#features/catalog/types.ts'
import type { Poisha } from '#lib/format/money.ts'
import { searchText } from '#lib/format/search-term.ts'
import type { DiscountLimit } from './approval-rules.ts'

/** A product in transport, by column index: see `PosProduct`. */
export type CatalogRow = [
  id: number,
  nameEn: string,
  nameBn: string,
  words: string,
  price: number,
  unit: Unit,
  status: ProductStatus,
  stockMilli: number | null,
  isAnimal: 0 | 1,
  categoryId: number,
  shipping: number,
  barcode: string | null,
  tag: string | null,
  picture: string | null,
  /** Pack sizes in thousandths; absent in rows of an earlier format. */
  sizesMilli?: number[] | null,
  /** The product's own delivery date; absent in rows of an earlier format. */
  deliveryOn?: string | null,
]

/** A part of the catalog as the API returns it. */
export interface CatalogPart {
  /** True: the whole catalog, which replaces the device's. */
  full: boolean
  /** The cursor of the next update; the first part of a run decides. */
  since: string
  /** The delivery group of each category. */
  groups: Record<string, DeliveryGroup>
  /** The maximum discount of a cashier alone. */
  limit: DiscountLimit
  /** The caller's open shift; null: none. */
  shift_id: number | null
  /** The caller's latest shift, open or closed; null: none yet. */
  latest_shift_id: number | null
  rows: CatalogRow[]
  /** Ids of products that are no longer visible. */
  gone: number[]
  /** The cursor of the next part; null: this is the last. */
  next: string | null
}

/** A product in the POS. */
export interface PosProduct {
  id: number
  nameEn: string
  nameBn: string
  /** Price of a unit after its discount. */
  price: Poisha
  unit: Unit
  status: ProductStatus
  /** The stock count at the last update; null: not counted. */
  stockMilli: number | null
  isAnimal: boolean
  group: DeliveryGroup
  shipping: Poisha
  /** Pack sizes in thousandths; empty: no packs. */
  sizesMilli: readonly number[]
  /** The own delivery date (YYYY-MM-DD); null: none. */
  deliveryOn: string | null
  barcode: string | null
  tag: string | null
  image: string | null
}

/** Reads a row; `groups` comes from the same response. */
export function posProduct(row: CatalogRow, groups: Readonly<Record<string, DeliveryGroup>>): PosProduct {
  const [id, nameEn, nameBn, , price, unit, status, stockMilli, isAnimal, categoryId, shipping, barcode, tag, picture, sizes, deliveryOn] =
    row
  const money = { price: price as Poisha, shipping: shipping as Poisha }
  const image = picture === null ? null : `/uploads/${picture}.webp`
  return {
    id,
    nameEn,
    nameBn,
    ...money,
    unit,
    status,
    stockMilli,
    isAnimal: isAnimal === 1,
    group: groups[categoryId] ?? 'produce',
    sizesMilli: sizes ?? [],
    deliveryOn: deliveryOn ?? null,
    barcode,
    tag,
    image,
  }
}

/** The search text of a row. */
export function toSearchText([, nameEn, nameBn, words, , , , , , , , barcode, tag]: CatalogRow): string {
  return searchText([nameEn, nameBn, tag, words, barcode])
}
