// The goods as a till keeps them on its device: a row each, short, because there are up to 100,000 of them.
import type { DeliveryGroup, ProductStatus, Unit } from '#features/catalog/types.ts'
import type { Poisha } from '#lib/format/money.ts'
import type { DiscountLimit } from './approval-rules.ts'

/** A product on its way to the till, by place: see `PosProduct`. */
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
]

/** A part of the catalog as the call answers it. */
export interface CatalogPart {
  /** True: the whole catalog, which replaces what the device has. */
  full: boolean
  /** What to ask with next time for what has changed since; that of a run's first part counts. */
  since: string
  /** Which delivery charge a category's goods have. */
  groups: Record<string, DeliveryGroup>
  /** What a cashier takes off by himself. */
  limit: DiscountLimit
  rows: CatalogRow[]
  /** Products that are not sold any more. */
  gone: number[]
  /** Where the next part begins; null: this was the last. */
  next: string | null
}

/** A product as the till works with it. */
export interface PosProduct {
  id: number
  nameEn: string
  nameBn: string
  /** A unit after its discount. */
  price: Poisha
  unit: Unit
  status: ProductStatus
  /** What the shop's count was when the device heard of it last; null: not counted. */
  stockMilli: number | null
  isAnimal: boolean
  group: DeliveryGroup
  shipping: Poisha
  barcode: string | null
  tag: string | null
  image: string | null
}

/** Reads a row; `groups` came with it. */
export function posProduct(row: CatalogRow, groups: Readonly<Record<string, DeliveryGroup>>): PosProduct {
  const [id, nameEn, nameBn, , price, unit, status, stockMilli, isAnimal, categoryId, shipping, barcode, tag, picture] = row
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
    barcode,
    tag,
    image,
  }
}

/** The text in which a row is searched: as the database's `search_text`, a space before every word. */
export function toSearchText([, nameEn, nameBn, words, , , , , , , , barcode, tag]: CatalogRow): string {
  return ` ${[nameEn, nameBn, tag, words, barcode].filter(Boolean).join(' ')}`.normalize('NFC').toLowerCase()
}
