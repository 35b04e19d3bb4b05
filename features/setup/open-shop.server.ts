import { type Actor, audit } from '#features/audit/audit.server.ts'
import { lockSettings, storeSettings } from '#features/settings/commands.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { countForSetup } from './queries.server.ts'
import { openingProblem } from './setup-rules.ts'

export type OpeningChange =
  | { ok: true; opening: Settings['opening'] }
  | { ok: false; reason: 'product' | 'areas' | 'past' | 'is-open' }
  | { ok: false; reason: 'stale'; opening: Settings['opening'] }

/** Without `isOpen` only the day of a closed shop changes. `shown`: what the page showed; what another owner saved since then is not overwritten. */
export type OpeningForm = Pick<Settings['opening'], 'opensOn'> & Partial<Settings['opening']> & { shown?: Settings['opening'] | undefined }

/**
 * Opens or closes the shop, or changes the announced day. A trigger of the settings notifies every process. Rejected when the shop
 * would open without anything to sell, or without a place to deliver to, for a day before `today`, which visitors would not see, for a day
 * of a shop that was opened meanwhile, and when another owner has changed what the page showed.
 */
export function changeOpening(db: Db, actor: Actor, form: OpeningForm, today: string): Promise<OpeningChange> {
  return inTransaction(db, async (tx) => {
    await lockSettings(tx)
    const settings = await readSettings(tx)
    const before = settings.opening
    if (form.isOpen === undefined && before.isOpen) return { ok: false, reason: 'is-open' }
    const opening = { isOpen: form.isOpen ?? false, opensOn: form.opensOn }
    const isSame = (other: Settings['opening']) => before.isOpen === other.isOpen && before.opensOn === other.opensOn
    if (form.shown && !isSame(form.shown) && !isSame(opening)) return { ok: false, reason: 'stale', opening: before }
    const problem = opening.isOpen && !before.isOpen ? openingProblem(await countForSetup(tx, settings)) : null
    if (problem !== null) return { ok: false, reason: problem }
    if (opening.opensOn !== '' && opening.opensOn < today) return { ok: false, reason: 'past' }
    if (isSame(opening)) return { ok: true, opening: before }
    await storeSettings(tx, { opening })
    await audit(tx, actor, { action: 'changed', subject: 'settings', id: 'opening', before: { ...before }, after: { ...opening } })
    return { ok: true, opening }
  })
}
