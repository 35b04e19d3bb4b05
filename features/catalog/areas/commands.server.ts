import { type Actor, audit } from '#features/audit/audit.server.ts'
import { DELIVERY_GROUPS } from '#features/catalog/types.ts'
import { lockSettings } from '#features/settings/commands.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { hasOpenWeekday } from '#features/settings/open-weekdays.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import type { AreaForm } from './forms.ts'
import { type AreaRecord, findAreaRecord } from './queries.server.ts'

export type AreaChange = { ok: true; area: AreaRecord } | { ok: false; reason: 'stale' | 'missing' | 'no-day' }

/** Creates a delivery area. `no-day`: the whole shop is closed on each of its weekdays. */
export function addArea(db: Db, actor: Actor, form: AreaForm): Promise<AreaChange> {
  return inTransaction(db, async (tx): Promise<AreaChange> => {
    if (!(await hasDay(tx, form, []))) return { ok: false, reason: 'no-day' }
    const { cattle: _cattle, produce: _produce, ...fields } = form
    const { id } = await tx.insertInto('areas').values(fields).returning('id').executeTakeFirstOrThrow()
    const area = await writeCharges(tx, id, form)
    await audit(tx, actor, { action: 'created', subject: 'area', id: area.id, after: area })
    return { ok: true, area }
  })
}

/** Updates an area and its charges if it still has this version. `no-day`: as in `addArea`. */
export function changeArea(db: Db, actor: Actor, id: number, version: number, form: AreaForm): Promise<AreaChange> {
  return inTransaction(db, async (tx): Promise<AreaChange> => {
    const before = await findAreaRecord(tx, id)
    if (!(await hasDay(tx, form, before?.closed_weekdays ?? []))) return { ok: false, reason: 'no-day' }
    const { cattle: _cattle, produce: _produce, ...fields } = form
    const updated = await updateVersioned(tx, 'areas', id, version, fields)
    if (!updated.ok) return updated
    const area = await writeCharges(tx, id, form)
    await audit(tx, actor, { action: 'changed', subject: 'area', id, before, after: area })
    return { ok: true, area }
  })
}

/** Whether the area may be saved: an active one needs a weekday of delivery. */
async function hasDay(tx: Db, { active, closed_weekdays }: AreaForm, before: readonly number[]): Promise<boolean> {
  if (!active) return true
  await lockSettings(tx)
  return hasOpenWeekday((await readSettings(tx)).delivery_days.closed_weekdays, closed_weekdays ?? before)
}

/** Replaces the charges of an area. A group with the product's own charge has no row. */
async function writeCharges(tx: Db, id: number, form: AreaForm): Promise<AreaRecord> {
  await tx.deleteFrom('area_charges').where('area_id', '=', id).execute()
  for (const group of DELIVERY_GROUPS) {
    const input = form[group]
    if (input.kind === 'own') continue
    const charge_poisha = input.kind === 'set' ? input.charge : null
    await tx
      .insertInto('area_charges')
      .values({ area_id: id, delivery_group: group, is_open: input.kind === 'set', charge_poisha })
      .execute()
  }
  const area = await findAreaRecord(tx, id)
  if (!area) throw new Error(`area ${id} was deleted while it was written`)
  return area
}
