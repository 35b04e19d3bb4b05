import { type RawBuilder, sql } from 'kysely'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import type { DiscountType, ProductStatus, Unit } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import { allowedStatuses, type ProductKind } from './product-rules.ts'

/** A product as the admin edits it; amounts in taka, empty fields as empty texts. */
export interface ProductRecord {
  id: number
  version: number
  kind: ProductKind
  category_id: number
  further_category_ids: number[]
  name_en: string
  name_bn: string
  description_en: string
  description_bn: string
  price: number
  unit: Unit
  discount_kind: 'none' | DiscountType
  discount: number | null
  sizes: string
  status: ProductStatus
  note_en: string
  note_bn: string
  delivery_on: string
  shipping_cost: number
  advance_minimum: number
  advance_percentage: number
  advance_round_figure: number
  coupon_applicable: boolean
  barcode: string
  search_aliases: string
  visible: boolean
  tag_number: string
  breed_en: string
  breed_bn: string
  coat: string
  teeth: number | null
  birth_month: string
  sold_by_live_weight: boolean
  season: string
  pictures: UploadedImage[]
  videos: string[]
}

/** What stands beside the form: changed elsewhere, or by itself. */
export interface ProductState {
  statuses: ProductStatus[]
  isArchived: boolean
  holdReason: 'booked' | 'soon' | 'returned' | null
  /** The live order that holds the animal. */
  order_id: number | null
  /** How many there are; null when not counted. */
  stock: number | null
  weight_kg: number | null
  weighed_on: string | null
}

export type ProductDetails = ProductRecord & { around: ProductState }

interface Row extends Omit<ProductRecord, 'kind' | 'sizes' | 'discount_kind'> {
  is_unique: boolean
  discount_kind: DiscountType | null
  sizes_milli: number[]
  archived_at: Date | null
  hold_reason: 'booked' | 'soon' | 'returned' | null
  order_id: number | null
  stock_milli: number | null
  weight_grams: number | null
  weighed_on: string | null
}

const columns = sql`
  p.id, p.version, p.is_unique, p.category_id, p.name_en, p.name_bn, p.description_en, p.description_bn, p.price_poisha::float8 / 100 as price, p.unit,
  p.discount_kind, p.discount_value::float8 / 100 as discount, p.sizes_milli, p.status, p.note_en, p.note_bn, coalesce(p.delivery_on::text, '') as delivery_on,
  p.shipping_poisha::float8 / 100 as shipping_cost, p.advance_minimum_poisha::float8 / 100 as advance_minimum,
  p.advance_percent_bp::float8 / 100 as advance_percentage, p.advance_round_poisha::float8 / 100 as advance_round_figure, p.coupon_applicable,
  coalesce(p.barcode, '') as barcode, p.search_aliases, p.visible, coalesce(p.tag_number, '') as tag_number, coalesce(p.breed_en, '') as breed_en,
  coalesce(p.breed_bn, '') as breed_bn, coalesce(p.coat, '') as coat, p.teeth, coalesce(to_char(p.birth_month, 'YYYY-MM'), '') as birth_month,
  p.sold_by_live_weight, p.season, p.archived_at, p.hold_reason, p.stock_milli, p.weight_grams, p.weighed_on,
  (select c.order_id from animal_holds c where c.product_id = p.id) as order_id,
  array(select category_id from product_categories where product_id = p.id order by category_id) as further_category_ids,
  coalesce((select json_agg(json_build_object('image_id', i.id, 'picture', json_build_object('token', i.token, 'width', i.width, 'height', i.height,
      'widths', i.widths, 'placeholder', i.placeholder, 'isIllustration', i.is_illustration)) order by m.position)
    from product_media m join images i on i.id = m.image_id where m.product_id = p.id), '[]') as pictures,
  coalesce((select json_agg(m.video_url order by m.position) from product_media m where m.product_id = p.id and m.kind = 'video'), '[]') as videos`

/** Whole products of a condition on `p`, in id order. */
export async function listProductRecords(db: Db, where: RawBuilder<unknown>): Promise<ProductDetails[]> {
  const { rows } = await sql<Row>`select ${columns} from products p where ${where} order by p.id`.execute(db)
  return rows.map(asDetails)
}

export async function findProductRecord(db: Db, id: number): Promise<ProductDetails | null> {
  return (await listProductRecords(db, sql`p.id = ${id}`))[0] ?? null
}

function asDetails(row: Row): ProductDetails {
  const { is_unique, sizes_milli, archived_at, hold_reason, order_id, stock_milli, weight_grams, weighed_on, discount_kind, ...same } = row
  const kind: ProductKind = is_unique ? 'animal' : 'goods'
  return {
    ...same,
    kind,
    discount_kind: discount_kind ?? 'none',
    sizes: sizes_milli.map((milli) => milli / 1000).join(', '),
    around: {
      statuses: allowedStatuses({ kind, stockMilli: stock_milli, isClaimed: order_id !== null, isReturned: hold_reason === 'returned' }),
      isArchived: archived_at !== null,
      holdReason: hold_reason,
      order_id,
      stock: stock_milli === null ? null : stock_milli / 1000,
      weight_kg: weight_grams === null ? null : weight_grams / 1000,
      weighed_on,
    },
  }
}

/** What the log keeps of a product: everything that can be set, pictures by their ids. */
export function forLog({ around, pictures, version: _version, ...fields }: ProductDetails): object {
  return {
    ...fields,
    pictures: pictures.map((one) => one.image_id),
    archived: around.isArchived,
    stock: around.stock,
    weight_kg: around.weight_kg,
  }
}
