import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Picture } from '#features/catalog/types.ts'
import { holdPicture } from '../media/images.server.ts'
import { pictureJson } from '../media/picture-columns.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { HealthForm } from './forms.ts'

/** A health record of an animal in the admin. */
export interface HealthRecord extends HealthForm {
  id: number
  picture: Picture | null
}

const columns = sql`h.id, h.on_day, h.kind, h.what_en, h.what_bn, h.vet, h.image_id,
  case when i.id is null then null else ${pictureJson} end as picture`

/** The health records of an animal, newest first. */
export async function listHealthRecords(db: Db, productId: number): Promise<HealthRecord[]> {
  const { rows } = await sql<HealthRecord>`select ${columns} from health_records h left join images i on i.id = h.image_id
    where h.product_id = ${productId} order by h.on_day desc, h.id desc limit 100`.execute(db)
  return rows
}

export type HealthResult = { ok: true; records: HealthRecord[] } | { ok: false; reason: 'missing' | 'in-the-future' | 'picture-gone' }

/** Adds a health record of an animal. */
export function addHealthRecord(db: Db, actor: Actor, productId: number, form: HealthForm, today: string): Promise<HealthResult> {
  return inTransaction(db, async (tx): Promise<HealthResult> => {
    const product = await tx.selectFrom('products').select('is_unique').where('id', '=', productId).forKeyShare().executeTakeFirst()
    if (!product?.is_unique) return { ok: false, reason: 'missing' }
    if (form.on_day > today) return { ok: false, reason: 'in-the-future' }
    if (form.image_id !== null && !(await holdPicture(tx, form.image_id))) return { ok: false, reason: 'picture-gone' }
    await tx
      .insertInto('health_records')
      .values({ product_id: productId, ...form })
      .execute()
    await audit(tx, actor, { action: 'changed', subject: 'product', id: productId, before: { health: null }, after: { health: form } })
    return { ok: true, records: await listHealthRecords(tx, productId) }
  })
}

/** Deletes a health record; null when there is none with the id for this animal. */
export function deleteHealthRecord(db: Db, actor: Actor, productId: number, id: number): Promise<HealthRecord[] | null> {
  return inTransaction(db, async (tx) => {
    const record = await tx
      .deleteFrom('health_records')
      .where('id', '=', id)
      .where('product_id', '=', productId)
      .returning(['on_day', 'kind', 'what_en', 'what_bn', 'vet', 'image_id'])
      .executeTakeFirst()
    if (!record) return null
    await audit(tx, actor, { action: 'changed', subject: 'product', id: productId, before: { health: record }, after: { health: null } })
    return listHealthRecords(tx, productId)
  })
}
