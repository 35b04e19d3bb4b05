import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { holdPicture } from '../media/images.server.ts'
import type { PopupForm } from './forms.ts'

export type PopupChange = { ok: true; id: number } | { ok: false; reason: 'missing' | 'stale' | 'no-picture' }

/** Creates a popup. Its new id makes every browser show it once [C4]. */
export function addPopup(db: Db, actor: Actor, form: PopupForm): Promise<PopupChange> {
  return inTransaction(db, async (tx): Promise<PopupChange> => {
    if (!(await holdPicture(tx, form.image_id))) return { ok: false, reason: 'no-picture' }
    const { id } = await tx.insertInto('popups').values(form).returning('id').executeTakeFirstOrThrow()
    await audit(tx, actor, { action: 'created', subject: 'popup', id, after: form })
    return { ok: true, id }
  })
}

/** Updates a popup if it still has this version. Browsers that have shown it do not show it again. */
export function changePopup(db: Db, actor: Actor, id: number, version: number, form: PopupForm): Promise<PopupChange> {
  return inTransaction(db, async (tx): Promise<PopupChange> => {
    if (!(await holdPicture(tx, form.image_id))) return { ok: false, reason: 'no-picture' }
    const before = await stateOf(tx, id)
    const updated = await updateVersioned(tx, 'popups', id, version, form)
    if (!updated.ok) return updated
    await audit(tx, actor, { action: 'changed', subject: 'popup', id, before, after: await stateOf(tx, id) })
    return { ok: true, id }
  })
}

/** Deletes a popup but not its picture; false when there is none with the id. */
export function deletePopup(db: Db, actor: Actor, id: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const before = await stateOf(tx, id)
    const { numDeletedRows } = await tx.deleteFrom('popups').where('id', '=', id).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await audit(tx, actor, { action: 'deleted', subject: 'popup', id, before })
    return true
  })
}

async function stateOf(tx: Db, id: number): Promise<object | null> {
  const row = await tx
    .selectFrom('popups')
    .select(['image_id', 'link', 'alt_en', 'alt_bn', 'starts_at', 'ends_at', 'active'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}
