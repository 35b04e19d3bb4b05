import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import type { AreaForm } from './forms.ts'
import { type AreaRecord, findAreaRecord } from './queries.server.ts'

/** Opens a new area for delivery; answers it as it is kept. */
export function addArea(db: Db, who: Actor, form: AreaForm): Promise<AreaRecord> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: number }>`insert into areas (name_en, name_bn, active, position)
      values (${form.name_en}, ${form.name_bn}, ${form.active}, ${form.position}) returning id`.execute(tx)
    const area = await writeCharges(tx, rows[0]?.id ?? 0, form)
    await audit(tx, who, { action: 'created', subject: 'area', id: area.id, after: area })
    return area
  })
}

export type AreaChange = { ok: true; area: AreaRecord } | { ok: false; reason: 'stale' | 'missing' }

/** Changes an area and its charges, unless somebody else was quicker. */
export function changeArea(db: Db, who: Actor, id: number, version: number, form: AreaForm): Promise<AreaChange> {
  return inTransaction(db, async (tx) => {
    const before = await findAreaRecord(tx, id)
    const { cattle: _cattle, produce: _produce, ...fields } = form
    const updated = await updateVersioned(tx, 'areas', id, version, fields)
    if (!updated.ok) return updated
    const area = await writeCharges(tx, id, form)
    await audit(tx, who, { action: 'changed', subject: 'area', id, before, after: area })
    return { ok: true, area }
  })
}

async function writeCharges(tx: Db, id: number, form: AreaForm): Promise<AreaRecord> {
  await sql`delete from area_charges where area_id = ${id}`.execute(tx)
  for (const group of ['cattle', 'produce'] as const) {
    const wanted = form[group]
    if (wanted.kind === 'own') continue
    const charge = wanted.kind === 'set' ? wanted.charge : null
    await sql`insert into area_charges (area_id, delivery_group, is_open, charge_poisha)
      values (${id}, ${group}, ${wanted.kind === 'set'}, ${charge})`.execute(tx)
  }
  const area = await findAreaRecord(tx, id)
  if (!area) throw new Error(`area ${id} went while it was written`)
  return area
}
