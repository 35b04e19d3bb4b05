import { type RawBuilder, sql } from 'kysely'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { pictureJson } from '#features/catalog/media/picture-columns.server.ts'
import type { ProductStatus } from '#features/catalog/types.ts'
import { IS_OPEN } from '#features/orders/status-conditions.server.ts'
import type { HoldReason } from '#features/stock/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type HeldValues, STORED_FIELDS } from './field-values.ts'
import { allowedStatuses, type ProductKind } from './product-rules.ts'

/** A product in the admin form; amounts in taka, empty fields as empty texts. */
export interface ProductRecord extends HeldValues {
  id: number
  version: number
  kind: ProductKind
  further_category_ids: number[]
  pictures: UploadedImage[]
  videos: string[]
}

/** State that the form does not set. */
export interface ProductState {
  statuses: ProductStatus[]
  isArchived: boolean
  holdReason: HoldReason | null
  /** The live order that holds the animal. */
  order_id: number | null
  /** The same, of an order that is still to be delivered. */
  open_order_id: number | null
  /** Stock in units; null when not counted. */
  stock: number | null
  weight_kg: number | null
  weighed_on: string | null
}

export type ProductDetails = ProductRecord & { state: ProductState }

interface Row extends Omit<ProductRecord, 'kind'> {
  is_unique: boolean
  archived_at: Date | null
  hold_reason: HoldReason | null
  order_id: number | null
  open_order_id: number | null
  stock_milli: number | null
  weight_grams: number | null
  weighed_on: string | null
}

const fieldColumns = sql.raw(STORED_FIELDS.map(({ key, column }) => `${column.read} as ${key}`).join(', '))

/** The order that is still to be delivered and holds the animal `p`; null for others. */
export const OPEN_ORDER_ID = sql`(select h.order_id from animal_holds h join orders o on o.id = h.order_id where h.product_id = p.id and ${IS_OPEN})`

const columns = sql`
  ${fieldColumns}, p.id, p.version, p.is_unique, p.archived_at, p.hold_reason, p.stock_milli, p.weight_grams, p.weighed_on,
  (select c.order_id from animal_holds c where c.product_id = p.id) as order_id, ${OPEN_ORDER_ID} as open_order_id,
  array(select category_id from product_categories where product_id = p.id order by category_id) as further_category_ids,
  coalesce((select json_agg(json_build_object('image_id', i.id, 'picture', ${pictureJson}) order by m.position)
    from product_media m join images i on i.id = m.image_id where m.product_id = p.id), '[]') as pictures,
  coalesce((select json_agg(m.video_url order by m.position) from product_media m where m.product_id = p.id and m.kind = 'video'), '[]') as videos`

/** Products that match a condition on `p`, in id order. */
export async function listProductRecords(db: Db, where: RawBuilder<unknown>): Promise<ProductDetails[]> {
  const { rows } = await sql<Row>`select ${columns} from products p where ${where} order by p.id`.execute(db)
  return rows.map(asDetails)
}

export async function findProductRecord(db: Db, id: number): Promise<ProductDetails | null> {
  return (await listProductRecords(db, sql`p.id = ${id}`))[0] ?? null
}

function asDetails(row: Row): ProductDetails {
  const { is_unique, archived_at, hold_reason, order_id, open_order_id, stock_milli, weight_grams, weighed_on, ...same } = row
  const kind: ProductKind = is_unique ? 'animal' : 'goods'
  return {
    ...same,
    kind,
    state: {
      statuses: allowedStatuses({ kind, stockMilli: stock_milli, isClaimed: order_id !== null, isReturned: hold_reason === 'returned' }),
      isArchived: archived_at !== null,
      holdReason: hold_reason,
      order_id,
      open_order_id,
      stock: stock_milli === null ? null : stock_milli / 1000,
      weight_kg: weight_grams === null ? null : weight_grams / 1000,
      weighed_on,
    },
  }
}

/** A product as the audit log stores it: every field of the form, pictures by their ids. */
export function forLog({ state, pictures, version: _version, ...fields }: ProductDetails): object {
  return {
    ...fields,
    pictures: pictures.map((one) => one.image_id),
    archived: state.isArchived,
    stock: state.stock,
    weight_kg: state.weight_kg,
  }
}
