import type { UploadedImage } from '#features/catalog/images.server.ts'
import type { ProductDetails, ProductRecord } from '#features/office/products/record.server.ts'

/** What the form holds: the record, its numbers as typed. */
export type ProductValues = Omit<ProductRecord, 'id' | 'version' | 'kind'>

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
  return {
    kind,
    category_id: (fitting.at(-1) ?? categories[0])?.id ?? 0,
    further_category_ids: [],
    name_en: '',
    name_bn: '',
    description_en: '',
    description_bn: '',
    price: '' as unknown as number,
    unit: kind === 'animal' ? 'piece' : 'kg',
    discount_kind: 'none',
    discount: null,
    sizes: '',
    status: 'in-stock',
    note_en: '',
    note_bn: '',
    delivery_on: '',
    shipping_cost: '' as unknown as number,
    advance_minimum: '' as unknown as number,
    advance_percentage: '' as unknown as number,
    advance_round_figure: '' as unknown as number,
    coupon_applicable: kind === 'goods',
    barcode: '',
    search_aliases: '',
    visible: true,
    tag_number: '',
    breed_en: '',
    breed_bn: '',
    coat: '',
    teeth: null,
    birth_month: '',
    sold_by_live_weight: kind === 'animal',
    season: kind === 'animal' ? (seasons[0] ?? '') : '',
    pictures: [],
    videos: [],
    stock: '',
    weight_kg: '',
    weighed_on: today,
  }
}
