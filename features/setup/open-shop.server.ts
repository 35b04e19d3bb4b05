import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'

/** Opens or closes the shop, or changes the announced day. Every process learns it by the trigger of the settings. */
export function changeOpening(db: Db, who: Actor, opening: Settings['opening']): Promise<Settings['opening']> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('settings'))`.execute(tx)
    const before = (await readSettings(tx)).opening
    if (before.isOpen === opening.isOpen && before.opensOn === opening.opensOn) return before
    const row = { key: 'opening', value: JSON.stringify(opening) }
    await tx
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
      .execute()
    await audit(tx, who, { action: 'changed', subject: 'settings', id: 'opening', before: { ...before }, after: { ...opening } })
    return opening
  })
}
