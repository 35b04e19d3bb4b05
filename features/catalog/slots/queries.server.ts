import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type ListedProduct, listedProductColumns } from '../listed-products.server.ts'
import { IS_SHOWN_SLOT, MAX_SECTION_PRODUCTS } from '../queries.server.ts'

/** A slot in the admin's list. */
export interface SlotItem {
  id: number
  name: string
  active: boolean
  products: number
  /** Products of a shown section for which the home page has no room. */
  left_out: number
}

/** A slot in the admin form, with its products in their order. */
export interface SlotRecord {
  id: number
  name_en: string
  name_bn: string
  active: boolean
  products: ListedProduct[]
  version: number
}

/** All slots in the order of the home page, including inactive ones. */
export async function listSlotItems(db: Db, lang: Lang): Promise<SlotItem[]> {
  const { rows } = await sql<SlotItem>`
    with cards as (select s.id as slot_id, row_number() over (order by s.position, s.id, sp.position, p.id) as place
      from slots s join slot_products sp on sp.slot_id = s.id join products p on p.id = sp.product_id and p.visible where ${IS_SHOWN_SLOT})
    select s.id, ${columnIn(lang, 's.name')} as name, s.active,
      (select count(*)::int from slot_products sp where sp.slot_id = s.id) as products,
      (select count(*)::int from cards c where c.slot_id = s.id and c.place > ${MAX_SECTION_PRODUCTS}) as left_out
    from slots s order by s.position, s.id`.execute(db)
  return rows
}

export async function findSlot(db: Db, id: number, lang: Lang): Promise<SlotRecord | null> {
  const slot = await db
    .selectFrom('slots')
    .select(['id', 'name_en', 'name_bn', 'active', 'version'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!slot) return null
  const products = await sql<ListedProduct>`
    select ${listedProductColumns(lang)}
    from slot_products sp join products p on p.id = sp.product_id where sp.slot_id = ${id} order by sp.position, p.id`.execute(db)
  return { ...slot, products: products.rows }
}
