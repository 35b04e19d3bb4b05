import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetCursor, type KeysetPage, keysetPage } from '#lib/db/keyset.ts'
import { dhakaMoment } from '#lib/format/time.ts'
import type { UploadedImage } from '../media/images.server.ts'
import { pictureJson } from '../media/picture-columns.server.ts'
import type { Picture } from '../types.ts'

/** `behind`: a newer popup is shown instead. */
export type PopupState = 'off' | 'not-yet' | 'ended' | 'shown' | 'behind'

/** A popup in the admin form; times are local times of Dhaka. */
export interface PopupRecord {
  id: number
  picture: UploadedImage
  link: string
  alt_en: string
  alt_bn: string
  starts_at: string
  ends_at: string | null
  active: boolean
  version: number
  state: PopupState
}

interface PopupRow extends Omit<PopupRecord, 'picture' | 'starts_at' | 'ends_at'> {
  image_id: number
  picture: Picture
  starts_at: Date
  ends_at: Date | null
}

const PAGE_SIZE = 50

/** One page of the popups, newest first. Of the active ones the newest is shown. */
export async function listPopups(db: Db, now: Date, cursor: KeysetCursor): Promise<KeysetPage<PopupRecord>> {
  const { beyond, direction } = numericCursor(sql`o.id`, cursor)
  const rows = await popupRows(db, now, sql`${beyond} order by o.id ${direction} limit ${PAGE_SIZE + 1}`)
  return keysetPage(rows.map(recordOf), cursor, PAGE_SIZE, (row) => [row.id])
}

export async function findPopupRecord(db: Db, id: number, now: Date): Promise<PopupRecord | null> {
  const [row] = await popupRows(db, now, sql`o.id = ${id}`)
  return row ? recordOf(row) : null
}

/** The popups of a condition on `o`. */
async function popupRows(db: Db, now: Date, where: RawBuilder<unknown>): Promise<PopupRow[]> {
  const isOn = sql`o.active and o.starts_at <= ${now} and (o.ends_at is null or o.ends_at > ${now})`
  const { rows } = await sql<PopupRow>`
    select o.id, o.link, o.alt_en, o.alt_bn, o.starts_at, o.ends_at, o.active, o.version, o.image_id,
      ${pictureJson} as picture,
      case when not o.active then 'off' when o.starts_at > ${now} then 'not-yet' when o.ends_at <= ${now} then 'ended'
        when o.id = (select max(o.id) from popups o where ${isOn}) then 'shown' else 'behind' end as state
    from popups o join images i on i.id = o.image_id where ${where}`.execute(db)
  return rows
}

function recordOf({ image_id, picture, starts_at, ends_at, ...rest }: PopupRow): PopupRecord {
  return { ...rest, picture: { image_id, picture }, starts_at: dhakaMoment(starts_at), ends_at: ends_at && dhakaMoment(ends_at) }
}

/** The id of the popup that the home page shows now, or null. */
export async function findShownPopupId(db: Db, now: Date): Promise<number | null> {
  const row = await db
    .selectFrom('popups')
    .select('id')
    .where('active', '=', true)
    .where('starts_at', '<=', now)
    .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', now)]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
