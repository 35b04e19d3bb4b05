import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { toCamel } from '#lib/db/rows.ts'
import type { Picture } from '#lib/files/picture.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { SettingsPart, SettingsValues } from './sections.ts'
import type { Settings } from './settings.ts'
import { hasOpenWeekday } from './open-weekdays.ts'
import { readPart, type SettingsNow } from './queries.server.ts'
import { readSettings } from './settings.server.ts'
import { changedTexts } from './stored-settings.ts'

export type SettingsChange =
  | { ok: true; now: SettingsNow }
  | { ok: false; reason: 'stale' | 'no-logo' | 'no-certificate' }
  /** Areas that would have no weekday of delivery left. */
  | { ok: false; reason: 'no-area-day'; areas: AreaNames[] }

type AreaNames = Record<Lang, string>

/**
 * Changes a part of the settings. `stale` when it has changed since the form was loaded with this hash, `no-logo` and `no-certificate` when there
 * is no such picture.
 */
export function changeSettings(
  db: Db,
  actor: Actor,
  part: SettingsPart,
  settingsHash: string,
  values: SettingsValues,
): Promise<SettingsChange> {
  return inTransaction(db, async (tx) => {
    await lockSettings(tx)
    const before = await readPart(tx, part)
    if (before.settingsHash !== settingsHash) return { ok: false, reason: 'stale' }
    const areas = await listAreasWithoutDay(tx, before.values, values)
    if (areas.length > 0) return { ok: false, reason: 'no-area-day', areas }
    const { final_weighing, ...plain } = await withPictures(tx, values)
    if (plain.logo === MISSING || plain.certificates === MISSING)
      return { ok: false, reason: plain.logo === MISSING ? 'no-logo' : 'no-certificate' }
    await storeSettings(tx, { ...plain, ...(await textsToStore(tx, values)) })
    for (const { id, days } of final_weighing ?? []) {
      // A form of the category that is open has the old days: its version must not fit any more.
      const category = tx.updateTable('categories').where('id', '=', id).where('final_weighing_days', '<>', days)
      await category.set((eb) => ({ final_weighing_days: days, version: eb('version', '+', 1) })).execute()
    }
    const now = await readPart(tx, part)
    await audit(tx, actor, { action: 'changed', subject: 'settings', id: part, before: auditedOf(before), after: auditedOf(now) })
    return { ok: true, now }
  })
}

/** Locks all settings until the transaction ends: what depends on them does not change meanwhile. */
export async function lockSettings(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('settings'))`.execute(tx)
}

/** Stores settings by their keys; others stay. */
export async function storeSettings(tx: Db, values: { [Key in keyof Settings]?: unknown }): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    const row = { key, value: JSON.stringify(value) }
    await tx
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
      .execute()
  }
}

/** The SMS texts to store when they or the name of the shop change. */
async function textsToStore(tx: Db, { messages, shop }: Pick<SettingsValues, 'messages' | 'shop'>) {
  if (!messages && !shop) return {}
  const before = await readSettings(tx)
  return { messages: changedTexts(messages ?? before.messages, before.shop.name) }
}

/** The active areas whose last open weekday a change closes. Those that have none already are no reason to refuse it. */
async function listAreasWithoutDay(tx: Db, before: SettingsValues, after: SettingsValues): Promise<AreaNames[]> {
  if (!after.delivery_days) return []
  const areas = await tx
    .selectFrom('areas')
    .select(['name_en as en', 'name_bn as bn', 'closed_weekdays'])
    .where('active', '=', true)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const hasDay = (values: SettingsValues, closed: number[]) => hasOpenWeekday(values.delivery_days?.closed_weekdays ?? [], closed)
  return areas.filter((area) => hasDay(before, area.closed_weekdays) && !hasDay(after, area.closed_weekdays))
}

const MISSING = Symbol('missing')

/** The values with the pictures of their image ids; `MISSING` where there is no such picture. */
async function withPictures(tx: Db, { logo, certificates, ...values }: SettingsValues) {
  const taken = []
  for (const { image_id } of certificates ?? []) taken.push(await takePicture(tx, image_id, { isLogo: false }))
  return {
    ...values,
    ...(logo === undefined ? {} : { logo: logo && ((await takePicture(tx, logo.image_id, { isLogo: true })) ?? MISSING) }),
    ...(certificates === undefined ? {} : { certificates: taken.includes(null) ? MISSING : taken }),
  }
}

/** The values for the audit log: of a picture its id alone. */
function auditedOf({ values: { logo, certificates, ...values } }: SettingsNow): Record<string, unknown> {
  return flat({
    ...values,
    ...(logo === undefined ? {} : { logo: logo?.image_id ?? null }),
    ...(certificates === undefined ? {} : { certificates: certificates.map(({ image_id }) => image_id) }),
  })
}

/**
 * A picture of the settings; a logo is shown whole in link previews. Its age starts again, so that the job that deletes unused pictures, which waits for
 * this row, passes it over.
 */
async function takePicture(tx: Db, id: number, { isLogo }: { isLogo: boolean }): Promise<Settings['logo']> {
  const row = await tx
    .updateTable('images')
    .set((build) => ({ created_at: build.fn<Date>('now'), ...(isLogo ? { is_illustration: true } : {}) }))
    .where('id', '=', id)
    .returning(['token', 'width', 'height', 'widths', 'placeholder', 'is_illustration'])
    .executeTakeFirst()
  return row ? { image_id: id, picture: toCamel<Picture>(row) } : null
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
