import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { findProductRecord, forLog } from './product-editor-queries.server.ts'

export type CopyResult = { ok: true; id: number } | { ok: false; reason: 'missing' | 'tag-required' | 'tag-taken' }

/** Makes a new product of an old one: hidden, in stock, without barcode; an animal under a tag of its own, and not weighed yet. */
export async function copyProduct(db: Db, who: Actor, id: number, tag: string | null): Promise<CopyResult> {
  try {
    return await inTransaction(db, async (tx): Promise<CopyResult> => {
      const before = await findProductRecord(tx, id)
      if (!before) return { ok: false, reason: 'missing' }
      const isAnimal = before.kind === 'animal'
      if (isAnimal && tag === null) return { ok: false, reason: 'tag-required' }
      const { rows } = await sql<{ id: number }>`
        insert into products (category_id, name_en, name_bn, description_en, description_bn, price_poisha, unit, status, discount_kind, discount_value,
          sizes_milli, shipping_poisha, advance_minimum_poisha, advance_percent_bp, advance_round_poisha, coupon_applicable, delivery_on, note_en, note_bn,
          is_unique, stock_milli, tag_number, breed_en, breed_bn, coat, teeth, birth_month, sold_by_live_weight, season, visible, search_aliases)
        select category_id, name_en, name_bn, description_en, description_bn, price_poisha, unit,
          case when not is_unique and stock_milli is not null then 'out-of-stock' else 'in-stock' end, discount_kind, discount_value, sizes_milli, shipping_poisha,
          advance_minimum_poisha, advance_percent_bp, advance_round_poisha, coupon_applicable, delivery_on, note_en, note_bn, is_unique,
          case when is_unique then 1000 when stock_milli is not null then 0 end, ${isAnimal ? tag : null}, breed_en, breed_bn, coat, teeth, birth_month,
          sold_by_live_weight, season, false, search_aliases
        from products where id = ${id} returning id`.execute(tx)
      const copy = rows[0]!.id
      await sql`insert into product_categories (product_id, category_id) select ${copy}, category_id from product_categories where product_id = ${id}`.execute(
        tx,
      )
      await sql`insert into product_media (product_id, position, kind, image_id, video_url)
        select ${copy}, position, kind, image_id, video_url from product_media where product_id = ${id}`.execute(tx)
      const product = await findProductRecord(tx, copy)
      await audit(tx, who, { action: 'copied', subject: 'product', id: copy, after: { from: id, ...(product ? forLog(product) : {}) } })
      return { ok: true, id: copy }
    })
  } catch (error) {
    if (constraintOf(error) === 'products_tag_number_key') return { ok: false, reason: 'tag-taken' }
    throw error
  }
}
