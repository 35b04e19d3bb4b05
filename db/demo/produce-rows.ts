import type { DiscountType, Unit } from '#features/catalog/types.ts'
import type { Bilingual } from '#features/settings/settings.ts'
import { ownBarcode } from './barcodes.ts'
import { type Harvest, offerOn } from './harvest.ts'

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
  /** Units in stock during the harvest; null: stock is not counted. */
  stock: number | null
  /** Absent: all year. */
  harvest?: Harvest
  /** The whole harvest is sold ahead. */
  isSold?: true
  /** Days until it can be delivered, from the order or from the beginning of the harvest. */
  deliveryIn: number
  discount?: { kind: DiscountType; value: number }
  note?: Bilingual
}

/** The row of `products` for something sold by weight or piece. */
export function produceRow(item: DemoProduce, index: number, today: string) {
  const { status, deliveryOn } = offerOn(item, today)
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
    status,
    discount_kind: item.discount?.kind ?? null,
    discount_value: item.discount ? Math.round(item.discount.value * 100) : null,
    sizes_milli: item.sizes.map((size) => size * 1000),
    shipping_poisha: 80_00,
    delivery_on: deliveryOn,
    hold_reason: status === 'hold' ? ('soon' as const) : null,
    stock_milli: status === 'out-of-stock' ? 0 : item.stock === null ? null : item.stock * 1000,
    barcode: ownBarcode(5000 + index),
    search_aliases: item.aliases,
  }
}
