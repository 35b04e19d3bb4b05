import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { SettingsPart, SettingsValues } from './sections.ts'
import { readPart, type SettingsNow } from './queries.server.ts'

export type SettingsChange = { ok: true; now: SettingsNow } | { ok: false; reason: 'stale' }

/** Changes a part of the settings. `stale` when it has changed since the form was loaded with this hash. */
export function changeSettings(
  db: Db,
  who: Actor,
  part: SettingsPart,
  settingsHash: string,
  values: SettingsValues,
): Promise<SettingsChange> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('settings'))`.execute(tx)
    const before = await readPart(tx, part)
    if (before.settingsHash !== settingsHash) return { ok: false, reason: 'stale' }
    const { final_weighing, ...plain } = values
    for (const [key, value] of Object.entries(plain)) {
      const row = { key, value: JSON.stringify(value) }
      await tx
        .insertInto('settings')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
        .execute()
    }
    for (const { id, days } of final_weighing ?? []) {
      const category = tx.updateTable('categories').where('id', '=', id).where('final_weighing_days', 'is not', null)
      await category.set({ final_weighing_days: days }).execute()
    }
    const now = await readPart(tx, part)
    await audit(tx, who, { action: 'changed', subject: 'settings', id: part, before: flat(before.values), after: flat(now.values) })
    return { ok: true, now }
  })
}

/** Flattens nested values to one entry per setting, so that the audit log stores only the changed ones. */
function flat(values: object, path = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]): [string, unknown][] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(flat(value, `${path}${key}.`))
        : [[path + key, value]],
    ),
  )
}
