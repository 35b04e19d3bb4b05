import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { pictureJson } from './media/picture-columns.server.ts'
import {
  noteOf,
  pictureUrl,
  productColumns,
  productJson,
  type ProductRow,
  shownDeliveryOn,
  soldProductColumns,
  type SoldProductRow,
} from './product-rows.server.ts'
import { IS_ORDERABLE } from './orderable.server.ts'
import { DETAIL_FIELDS, type DetailValues } from './products/field-values.ts'
import type {
  Picture,
  PopupJson,
  ProductDetailJson,
  ProductJson,
  ProductStatus,
  SlotJson,
  StatusUpdateJson,
  WeighingMethod,
} from './types.ts'

/** Full rows of these products, in the order of the given ids. */
export async function listProductRowsInOrder(db: Db, ids: number[]): Promise<ProductRow[]> {
  const rows = new Map((await listProductRows(db, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/** Full rows of the visible products among these ids, in id order. */
export async function listProductRows(db: Db, ids: number[]): Promise<ProductRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ProductRow>`/*prepared product_rows*/
    select ${productColumns} from products p join categories c on c.id = p.category_id
    where p.visible and p.id = any(${ids}::bigint[]) order by p.id`.execute(db)
  return rows
}

/** The same without pictures and videos. `withHidden`: products of an order, which may have been hidden or archived since. */
export async function listSoldProductRows(db: Db, ids: number[], { withHidden = false } = {}): Promise<SoldProductRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<SoldProductRow>`/*prepared sold_product_rows*/
    select ${soldProductColumns} from products p join categories c on c.id = p.category_id
    where p.id = any(${ids}::bigint[]) and (p.visible or ${withHidden}::boolean) order by p.id`.execute(db)
  return rows
}

/** Current status, price, discount, note and date of the products with these ids. */
export async function listStatuses(db: Db, ids: number[], status: ProductStatus | null, lang: Lang): Promise<StatusUpdateJson[]> {
  if (ids.length === 0) return []
  type Columns =
    | 'id'
    | 'status'
    | 'price_poisha'
    | 'discount_kind'
    | 'discount_value'
    | 'note_en'
    | 'note_bn'
    | 'hold_reason'
    | 'shown_delivery_on'
  const { rows } = await sql<Pick<ProductRow, Columns>>`
    select id, status, price_poisha, discount_kind, discount_value, note_en, note_bn, hold_reason, ${shownDeliveryOn} as shown_delivery_on from products p
    where visible and id = any(${ids}::bigint[])${status ? sql` and status = ${status}` : sql``} order by id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    price: row.price_poisha / 100,
    discount: row.discount_value === null ? null : row.discount_value / 100,
    discount_type: row.discount_kind,
    note: noteOf(row, lang),
    delivery_date: row.shown_delivery_on,
  }))
}

interface DetailRow extends ProductRow, DetailValues {
  description_en: string
  description_bn: string
  weigh_ins: { weighed_on: string; grams: number; method: WeighingMethod; weighed_by: string }[]
}

const detailColumns = sql.raw(DETAIL_FIELDS.map(({ key, column }) => `p.${column.name} as ${key}`).join(', '))

function detailValues(row: DetailRow, lang: Lang): DetailValues {
  const values = DETAIL_FIELDS.map(({ key, detail }) => {
    const stored = row[key as keyof DetailValues]
    return [key, detail?.from ? detail.from(stored as never, lang) : stored]
  })
  return Object.fromEntries(values) as DetailValues
}

/**
 * The details of a product; null when there is none, or when it is hidden and `which` is `shown`. Of an animal's weigh-ins of one day the last
 * is listed: it corrects the others.
 */
export async function findProduct(db: Db, id: number, lang: Lang, which: 'shown' | 'every' = 'shown'): Promise<ProductDetailJson | null> {
  const { rows } = await sql<DetailRow>`
    select ${productColumns}, p.description_en, p.description_bn, ${detailColumns},
      coalesce((select json_agg(json_build_object('weighed_on', w.weighed_on, 'grams', w.grams, 'method', w.method, 'weighed_by', w.weighed_by)
        order by w.weighed_on) from (select distinct on (weighed_on) * from weigh_ins where product_id = p.id order by weighed_on, id desc) w),
        '[]') as weigh_ins
    from products p join categories c on c.id = p.category_id where ${which === 'every' ? sql`true` : sql`p.visible`} and p.id = ${id}`.execute(
    db,
  )
  const row = rows[0]
  if (!row) return null
  return {
    ...productJson(row, lang),
    description: lang === 'bn' ? row.description_bn : row.description_en,
    pictures: row.pictures,
    ...detailValues(row, lang),
    weigh_ins: row.weigh_ins.map(({ grams, ...rest }) => ({ ...rest, weight_kg: grams / 1000 })),
    max_quantity: row.stock_milli === null ? null : row.stock_milli / 1000,
  }
}

/** The products in the sections of the home page at most. The last ones are left out. */
export const MAX_SECTION_PRODUCTS = 200

/** SQL condition: an active slot `s` with a product that can be ordered. The home page hides the others. */
export const IS_SHOWN_SLOT = sql`s.active and exists (
  select 1 from slot_products o join products p on p.id = o.product_id
  where o.slot_id = s.id and p.visible and ${IS_ORDERABLE})`

const sectionProducts = sql`slots s join slot_products sp on sp.slot_id = s.id join products p on p.id = sp.product_id and p.visible`
const ORDER_OF_SECTIONS = sql`where ${IS_SHOWN_SLOT} order by s.position, s.id, sp.position, p.id limit ${MAX_SECTION_PRODUCTS}`

/** The slots that the home page shows with their visible products, in the order of the admin. */
export async function listSlots(db: Db, lang: Lang): Promise<SlotJson[]> {
  const { rows } = await sql<ProductRow & { slot_id: number; slot_en: string; slot_bn: string }>`
    select s.id as slot_id, s.name_en as slot_en, s.name_bn as slot_bn, ${productColumns}
    from ${sectionProducts} join categories c on c.id = p.category_id ${ORDER_OF_SECTIONS}`.execute(db)
  const slots = new Map<number, SlotJson>()
  for (const row of rows) {
    const slot = slots.get(row.slot_id) ?? { slot_name: lang === 'bn' ? row.slot_bn : row.slot_en, products: [] as ProductJson[] }
    slot.products.push(productJson(row, lang))
    slots.set(row.slot_id, slot)
  }
  return [...slots.values()]
}

/** Ids of the products that `listSlots` lists. */
export async function listSectionProductIds(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select p.id from ${sectionProducts} ${ORDER_OF_SECTIONS}`.execute(db)
  return [...new Set(rows.map(({ id }) => id))]
}

/** The popup that is shown now. `shownId` is the popup that this browser has seen. */
export async function findPopup(db: Db, now: Date, shownId: number | null, lang: Lang): Promise<PopupJson | null> {
  const { rows } = await sql<{ id: number; link: string; alt_en: string; alt_bn: string; picture: Picture }>`
    select o.id, o.link, o.alt_en, o.alt_bn, ${pictureJson} as picture
    from popups o join images i on i.id = o.image_id
    where o.active and o.starts_at <= ${now} and (o.ends_at is null or o.ends_at > ${now}) order by o.id desc limit 1`.execute(db)
  const row = rows[0]
  if (!row) return null
  return {
    id: row.id,
    shown: row.id === shownId ? 'true' : 'false',
    image: pictureUrl(row.picture, 800),
    picture: row.picture,
    alt: lang === 'bn' ? row.alt_bn : row.alt_en,
    link: row.link,
  }
}
