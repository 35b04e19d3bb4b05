import type { ProductStatus, Unit } from '#features/catalog/types.ts'
import type { Bilingual } from '#features/settings/settings.ts'
import { addDays } from '#lib/format/time.ts'
import { ownBarcode } from './barcodes.ts'

export interface DemoProduce {
  /** Name of the picture. */
  art: string
  categoryId: 3 | 5 | 6
  name: Bilingual
  about: Bilingual
  /** Latin spellings of the Bengali name, other names, Bengali variants. */
  aliases: string
  price: number
  unit: Unit
  sizes: number[]
  /** Units in stock; null: stock is not counted. */
  stock: number | null
  status: ProductStatus
  discount?: { kind: 'percentage' | 'fixed'; value: number }
  note?: Bilingual
  /** Days until it can be delivered. */
  deliveryIn?: number
}

/** The row of `products` for something sold by weight or piece. */
export function produceRow(item: DemoProduce, index: number, today: string) {
  return {
    category_id: item.categoryId,
    name_en: item.name.en,
    name_bn: item.name.bn,
    description_en: item.about.en,
    description_bn: item.about.bn,
    note_en: item.note?.en ?? '',
    note_bn: item.note?.bn ?? '',
    price_poisha: item.price * 100,
    unit: item.unit,
    status: item.status,
    discount_kind: item.discount?.kind ?? null,
    discount_value: item.discount ? Math.round(item.discount.value * 100) : null,
    sizes_milli: item.sizes.map((size) => size * 1000),
    shipping_poisha: 80_00,
    delivery_on: item.deliveryIn === undefined ? null : addDays(today, item.deliveryIn),
    hold_reason: item.status === 'hold' ? ('soon' as const) : null,
    stock_milli: item.stock === null ? null : item.stock * 1000,
    barcode: ownBarcode(5000 + index),
    search_aliases: item.aliases,
  }
}
