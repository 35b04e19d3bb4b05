import { sql } from 'kysely'
import { readSettings } from './settings.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { sha256Hex } from '#lib/ids/ids.server.ts'
import { SETTINGS_FORMS } from './forms.ts'
import type { FinalWeighing, SettingsPart, SettingsValues } from './sections.ts'

/** A part of the settings as it holds now, and a mark by which a later save knows that it still does. */
export interface SettingsNow {
  values: SettingsValues
  seen: string
}

/** Categories whose animals are weighed before they go out. */
export async function listFinalWeighings(db: Db): Promise<FinalWeighing[]> {
  const { rows } = await sql<FinalWeighing>`select id, name_en, name_bn, final_weighing_days as days from categories
    where final_weighing_days is not null order by priority, id`.execute(db)
  return rows
}

export async function readPart(db: Db, part: SettingsPart): Promise<SettingsNow> {
  const settings = await readSettings(db)
  const keys = Object.keys(SETTINGS_FORMS[part].shape)
  const values: Record<string, unknown> = Object.fromEntries(Object.entries(settings).filter(([key]) => keys.includes(key)))
  if (part === 'animals') values.final_weighing = (await listFinalWeighings(db)).map(({ id, days }) => ({ id, days }))
  return { values, seen: sha256Hex(JSON.stringify(values)).slice(0, 32) }
}
