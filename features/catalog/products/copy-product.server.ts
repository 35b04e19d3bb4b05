import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { STORED_FIELDS } from './field-values.ts'
import { findProductRecord, forLog } from './product-editor-queries.server.ts'

export type CopyResult = { ok: true; id: number } | { ok: false; reason: 'missing' | 'tag-required' | 'tag-taken' }

/** Columns that a copy has in common with its original. */
const COPIED = STORED_FIELDS.map(({ column }) => column.name).filter(
  (name) => !['barcode', 'tag_number', 'visible', 'status'].includes(name),
)

/** Creates a copy of a product: hidden, in stock, without a barcode. The copy of an animal gets its own tag and has no weight. */
export async function copyProduct(db: Db, actor: Actor, id: number, tag: string | null): Promise<CopyResult> {
  try {
    return await inTransaction(db, async (tx): Promise<CopyResult> => {
      const before = await findProductRecord(tx, id)
      if (!before) return { ok: false, reason: 'missing' }
      const isAnimal = before.kind === 'animal'
      if (isAnimal && tag === null) return { ok: false, reason: 'tag-required' }
      const { rows } = await sql<{ id: number }>`
        insert into products (${sql.join(COPIED.map((name) => sql.ref(name)))}, tag_number, visible, is_unique, status, stock_milli)
        select ${sql.join(COPIED.map((name) => sql.ref(name)))}, ${isAnimal ? tag : null}, false, is_unique,
          case when not is_unique and stock_milli is not null then 'out-of-stock' else 'in-stock' end,
          case when is_unique then 1000 when stock_milli is not null then 0 end
        from products where id = ${id} returning id`.execute(tx)
      const copy = rows[0]!.id
      await sql`insert into product_categories (product_id, category_id)
        select ${copy}, category_id from product_categories where product_id = ${id}`.execute(tx)
      await sql`insert into product_media (product_id, position, kind, image_id, video_url)
        select ${copy}, position, kind, image_id, video_url from product_media where product_id = ${id}`.execute(tx)
      const product = await findProductRecord(tx, copy)
      await audit(tx, actor, { action: 'copied', subject: 'product', id: copy, after: { from: id, ...(product ? forLog(product) : {}) } })
      return { ok: true, id: copy }
    })
  } catch (error) {
    if (constraintOf(error) === 'products_tag_number_key') return { ok: false, reason: 'tag-taken' }
    throw error
  }
}
