import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { dhakaMoment } from '#lib/format/time.ts'
import type { UploadedImage } from '../media/images.server.ts'
import type { Picture } from '../types.ts'

/** `behind`: another campaign stands before it. */
export type PopupState = 'off' | 'not-yet' | 'ended' | 'shown' | 'behind'

/** A campaign as the admin edits it; times as the clock of Dhaka says them. */
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

/** Every campaign, the newest first: of those that are on, the newest is the one shown. */
export async function listPopups(db: Db, now: Date): Promise<PopupRecord[]> {
  return (await popupRows(db, now, null)).map(recordOf)
}

export async function findPopupRecord(db: Db, id: number, now: Date): Promise<PopupRecord | null> {
  const [row] = await popupRows(db, now, id)
  return row ? recordOf(row) : null
}

async function popupRows(db: Db, now: Date, id: number | null): Promise<PopupRow[]> {
  const isOn = sql`o.active and o.starts_at <= ${now} and (o.ends_at is null or o.ends_at > ${now})`
  const { rows } = await sql<PopupRow>`
    select o.id, o.link, o.alt_en, o.alt_bn, o.starts_at, o.ends_at, o.active, o.version, o.image_id,
      json_build_object('token', i.token, 'width', i.width, 'height', i.height, 'widths', i.widths, 'placeholder', i.placeholder,
        'isIllustration', i.is_illustration) as picture,
      case when not o.active then 'off' when o.starts_at > ${now} then 'not-yet' when o.ends_at <= ${now} then 'ended'
        when o.id = (select max(o.id) from popups o where ${isOn}) then 'shown' else 'behind' end as state
    from popups o join images i on i.id = o.image_id where ${id === null ? sql`true` : sql`o.id = ${id}`} order by o.id desc limit 200`.execute(
    db,
  )
  return rows
}

function recordOf({ image_id, picture, starts_at, ends_at, ...rest }: PopupRow): PopupRecord {
  return { ...rest, picture: { image_id, picture }, starts_at: dhakaMoment(starts_at), ends_at: ends_at && dhakaMoment(ends_at) }
}

/** The id of the campaign that the home page shows now, or null. */
export async function findShownPopupId(db: Db, now: Date): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from popups where active and starts_at <= ${now} and (ends_at is null or ends_at > ${now}) order by id desc limit 1`.execute(
    db,
  )
  return rows[0]?.id ?? null
}
