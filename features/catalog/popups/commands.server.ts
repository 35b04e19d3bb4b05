import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import type { PopupForm } from './forms.ts'

export type PopupChange = { ok: true; id: number } | { ok: false; reason: 'missing' | 'stale' | 'no-picture' }

/** Makes a campaign: new to everybody, so that each browser is shown it once [C4]. */
export function addPopup(db: Db, who: Actor, form: PopupForm): Promise<PopupChange> {
  return inTransaction(db, async (tx): Promise<PopupChange> => {
    if (!(await isPicture(tx, form.image_id))) return { ok: false, reason: 'no-picture' }
    const { id } = await tx.insertInto('popups').values(form).returning('id').executeTakeFirstOrThrow()
    await audit(tx, who, { action: 'created', subject: 'popup', id, after: form })
    return { ok: true, id }
  })
}

/** Changes a campaign, unless somebody else was quicker. Who has seen it is not shown it again. */
export function changePopup(db: Db, who: Actor, id: number, version: number, form: PopupForm): Promise<PopupChange> {
  return inTransaction(db, async (tx): Promise<PopupChange> => {
    if (!(await isPicture(tx, form.image_id))) return { ok: false, reason: 'no-picture' }
    const before = await stateOf(tx, id)
    const updated = await updateVersioned(tx, 'popups', id, version, form)
    if (!updated.ok) return updated
    await audit(tx, who, { action: 'changed', subject: 'popup', id, before, after: await stateOf(tx, id) })
    return { ok: true, id }
  })
}

/** Deletes a campaign; false when it is not there. Its picture stays. */
export function deletePopup(db: Db, who: Actor, id: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const before = await stateOf(tx, id)
    const { numDeletedRows } = await tx.deleteFrom('popups').where('id', '=', id).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await audit(tx, who, { action: 'deleted', subject: 'popup', id, before })
    return true
  })
}

async function isPicture(tx: Db, id: number): Promise<boolean> {
  return (await sql`select 1 from images where id = ${id}`.execute(tx)).rows.length > 0
}

async function stateOf(tx: Db, id: number): Promise<object | null> {
  const { rows } =
    await sql<object>`select image_id, link, alt_en, alt_bn, starts_at, ends_at, active from popups where id = ${id}`.execute(tx)
  return rows[0] ?? null
}
