import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { countForSetup } from './queries.server.ts'
import { openingProblem } from './setup-rules.ts'

export type OpeningChange = { ok: true; opening: Settings['opening'] } | { ok: false; reason: 'product' | 'areas' | 'past' | 'is-open' }

/** Without `isOpen` only the day of a closed shop changes. */
export type OpeningForm = Pick<Settings['opening'], 'opensOn'> & Partial<Settings['opening']>

/**
 * Opens or closes the shop, or changes the announced day. A trigger of the settings notifies every process. Rejected when the shop
 * would open without anything to sell, or without a place to deliver to, for a day before `today`, which visitors would not see, and for a day
 * of a shop that was opened meanwhile.
 */
export function changeOpening(db: Db, actor: Actor, form: OpeningForm, today: string): Promise<OpeningChange> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('settings'))`.execute(tx)
    const settings = await readSettings(tx)
    const before = settings.opening
    if (form.isOpen === undefined && before.isOpen) return { ok: false, reason: 'is-open' }
    const opening = { isOpen: form.isOpen ?? false, opensOn: form.opensOn }
    const problem = opening.isOpen && !before.isOpen ? openingProblem(await countForSetup(tx, settings)) : null
    if (problem !== null) return { ok: false, reason: problem }
    if (opening.opensOn !== '' && opening.opensOn < today) return { ok: false, reason: 'past' }
    if (before.isOpen === opening.isOpen && before.opensOn === opening.opensOn) return { ok: true, opening: before }
    const row = { key: 'opening', value: JSON.stringify(opening) }
    await tx
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
      .execute()
    await audit(tx, actor, { action: 'changed', subject: 'settings', id: 'opening', before: { ...before }, after: { ...opening } })
    return { ok: true, opening }
  })
}
