import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { constraintOf, type Db } from '#lib/db/db.server.ts'
import { removePicture } from './images.server.ts'
import type { Picture } from '../types.ts'
import { videoFile } from './videos.server.ts'

const KEPT_FOR_MS = 86_400_000
const AT_ONCE = 50

/**
 * Takes away pictures and videos that nothing has shown for a day since they came. Everything that names a picture has a foreign key on
 * it, or stands in the settings. The row goes first: should the files stay, they are only room lost.
 */
export async function deleteOrphanedUploads(db: Db, dataDir: string, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_FOR_MS)
  return (await sweepImages(db, dataDir, before)) + (await sweepFilms(db, dataDir, before))
}

async function sweepImages(db: Db, dataDir: string, before: Date): Promise<number> {
  const references = await sql<{ place: string; col: string }>`
    select c.conrelid::regclass::text as place, a.attname as col from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'images'::regclass and cardinality(c.conkey) = 1`.execute(db)
  const unused = sql.join(
    references.rows.map(({ place, col }) => sql`not exists (select 1 from ${sql.table(place)} r where r.${sql.ref(col)} = i.id)`),
    sql` and `,
  )
  const { rows } = await sql<Picture & { id: number }>`
    select i.id, i.token, i.widths from images i where i.created_at < ${before} and ${unused}
      and not exists (select 1 from settings s where s.value::text like '%' || i.token || '%')
    order by i.created_at limit ${AT_ONCE}`.execute(db)
  let swept = 0
  for (const { id, ...picture } of rows) {
    if (!(await deleteUnused(() => sql`delete from images where id = ${id}`.execute(db)))) continue
    await removePicture(dataDir, picture)
    swept += 1
  }
  return swept
}

async function sweepFilms(db: Db, dataDir: string, before: Date): Promise<number> {
  const { rows } = await sql<{ token: string }>`
    delete from videos where token in (
      select token from videos f where f.created_at < ${before}
        and not exists (select 1 from product_media m where m.video_url = '/uploads/' || f.token || '.mp4')
      limit ${AT_ONCE} for update skip locked)
    returning token`.execute(db)
  for (const { token } of rows) await rm(videoFile(dataDir, token), { force: true })
  return rows.length
}

/** Somebody may begin to show it at this very moment: then it stays. */
async function deleteUnused(remove: () => Promise<unknown>): Promise<boolean> {
  try {
    await remove()
    return true
  } catch (error) {
    if (constraintOf(error) !== null) return false
    throw error
  }
}
