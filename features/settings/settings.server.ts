import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Settings } from './settings.ts'
import { settingsFrom } from './stored-settings.ts'

/** All settings as they hold now. */
export async function readSettings(db: Db): Promise<Settings> {
  const { rows } = await sql<{ key: string; value: unknown }>`select key, value from settings`.execute(db)
  return settingsFrom(Object.fromEntries(rows.map(({ key, value }) => [key, value])))
}
