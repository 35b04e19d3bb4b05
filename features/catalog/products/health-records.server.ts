import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Picture } from '#features/catalog/types.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { HealthForm } from './forms.ts'

/** An entry of an animal's health papers, as the admin keeps it. */
export interface HealthRecord extends HealthForm {
  id: number
  picture: Picture | null
}

const columns = sql`h.id, h.on_day, h.kind, h.what_en, h.what_bn, h.vet, h.image_id,
  case when i.id is null then null else json_build_object('token', i.token, 'width', i.width, 'height', i.height, 'widths', i.widths,
    'placeholder', i.placeholder, 'isIllustration', i.is_illustration) end as picture`

/** The papers of an animal, newest first. */
export async function listHealthRecords(db: Db, productId: number): Promise<HealthRecord[]> {
  const { rows } = await sql<HealthRecord>`select ${columns} from health_records h left join images i on i.id = h.image_id
    where h.product_id = ${productId} order by h.on_day desc, h.id desc limit 100`.execute(db)
  return rows
}

export type HealthResult = { ok: true; records: HealthRecord[] } | { ok: false; reason: 'missing' | 'in-the-future' | 'picture-gone' }

/** Adds an entry to the health papers of an animal. */
export function addHealthRecord(db: Db, who: Actor, productId: number, form: HealthForm, today: string): Promise<HealthResult> {
  return inTransaction(db, async (tx): Promise<HealthResult> => {
    const { rows } = await sql<{ is_unique: boolean }>`select is_unique from products where id = ${productId} for key share`.execute(tx)
    if (!rows[0]?.is_unique) return { ok: false, reason: 'missing' }
    if (form.on_day > today) return { ok: false, reason: 'in-the-future' }
    if (form.image_id !== null) {
      const picture = await sql`select 1 from images where id = ${form.image_id} for key share`.execute(tx)
      if (picture.rows.length === 0) return { ok: false, reason: 'picture-gone' }
    }
    await tx
      .insertInto('health_records')
      .values({ product_id: productId, ...form })
      .execute()
    await audit(tx, who, { action: 'changed', subject: 'product', id: productId, before: { health: null }, after: { health: form } })
    return { ok: true, records: await listHealthRecords(tx, productId) }
  })
}

/** Takes an entry out of the health papers; null when it is not there, or another animal's. */
export function deleteHealthRecord(db: Db, who: Actor, productId: number, id: number): Promise<HealthRecord[] | null> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<HealthForm>`delete from health_records where id = ${id} and product_id = ${productId}
      returning on_day, kind, what_en, what_bn, vet, image_id`.execute(tx)
    if (!rows[0]) return null
    await audit(tx, who, { action: 'changed', subject: 'product', id: productId, before: { health: rows[0] }, after: { health: null } })
    return listHealthRecords(tx, productId)
  })
}
