import { readSettings } from './settings.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { sha256Hex } from '#lib/ids/ids.server.ts'
import { SETTINGS_FORMS } from './forms.ts'
import type { FinalWeighing, SettingsPart, SettingsValues } from './sections.ts'

/** The current values of a part, and their hash, by which a save detects a concurrent change. */
export interface SettingsNow {
  values: SettingsValues
  settingsHash: string
}

/** The categories whose animals have a final weighing before delivery. */
export async function listFinalWeighings(db: Db): Promise<FinalWeighing[]> {
  return db
    .selectFrom('categories')
    .select(['id', 'name_en', 'name_bn', 'final_weighing_days as days'])
    .where('final_weighing_days', 'is not', null)
    .$narrowType<{ days: number }>()
    .orderBy('priority')
    .orderBy('id')
    .execute()
}

/** The values of one part of the settings, and the hash that its save compares. */
export async function readPart(db: Db, part: SettingsPart): Promise<SettingsNow> {
  const settings = await readSettings(db)
  const keys = Object.keys(SETTINGS_FORMS[part].shape)
  const values: Record<string, unknown> = Object.fromEntries(Object.entries(settings).filter(([key]) => keys.includes(key)))
  if (part === 'animals') values.final_weighing = (await listFinalWeighings(db)).map(({ id, days }) => ({ id, days }))
  return { values, settingsHash: sha256Hex(JSON.stringify(values)).slice(0, 32) }
}
