import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { SettingsPart, SettingsValues } from './sections.ts'
import { readPart, type SettingsNow } from './queries.server.ts'

export type SettingsChange = { ok: true; now: SettingsNow } | { ok: false; reason: 'stale' }

/** Sets a part of the settings, unless somebody else has changed it since it was seen; the shop shows it at once. */
export function changeSettings(db: Db, who: Actor, part: SettingsPart, seen: string, values: SettingsValues): Promise<SettingsChange> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('settings'))`.execute(tx)
    const before = await readPart(tx, part)
    if (before.seen !== seen) return { ok: false, reason: 'stale' }
    const { final_weighing, ...plain } = values
    for (const [key, value] of Object.entries(plain)) {
      await sql`insert into settings (key, value) values (${key}, ${JSON.stringify(value)}::jsonb)
        on conflict (key) do update set value = excluded.value`.execute(tx)
    }
    for (const { id, days } of final_weighing ?? []) {
      await sql`update categories set final_weighing_days = ${days} where id = ${id} and final_weighing_days is not null`.execute(tx)
    }
    const now = await readPart(tx, part)
    await audit(tx, who, { action: 'changed', subject: 'settings', id: part, before: flat(before.values), after: flat(now.values) })
    return { ok: true, now }
  })
}

/** One entry for each thing that can be set, so that the log holds what differs and not the whole part. */
function flat(values: object, path = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]): [string, unknown][] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(flat(value, `${path}${key}.`))
        : [[path + key, value]],
    ),
  )
}
