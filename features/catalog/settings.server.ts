import type { SqlRunner } from './images.server.ts'
import { DEFAULT_SETTINGS, type Settings } from './settings.ts'

/** All settings: what the owner has set, laid over the defaults, so that a new setting needs no migration. */
export async function readSettings(db: SqlRunner): Promise<Settings> {
  const { rows } = await db.query('select key, value from settings')
  const stored = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  return layOver(DEFAULT_SETTINGS, stored) as Settings
}

/** Stored values win where they are of the default's type; anything else stored is not ours to show. */
function layOver(standard: unknown, stored: unknown): unknown {
  if (isRecord(standard)) {
    if (!isRecord(stored)) return standard
    return Object.fromEntries(Object.entries(standard).map(([key, value]) => [key, layOver(value, stored[key])]))
  }
  return typeof stored === typeof standard ? stored : standard
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
