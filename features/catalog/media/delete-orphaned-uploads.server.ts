import { sql } from 'kysely'
import { DAY_MS } from '#lib/format/time.ts'
import { constraintOf, type Db } from '#lib/db/db.server.ts'
import { removePicture } from './images.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { videoName } from './videos.server.ts'

const MIN_AGE_MS = DAY_MS
const BATCH_SIZE = 50

/**
 * Deletes pictures and videos that are at least a day old and not referenced, a batch at a time; returns their number. References are
 * foreign keys, and tokens in the settings. The row is deleted before the files, so that a row in use always has its files; it returns when
 * they could not be deleted, for the next run. Files in progress that a killed process left go as well.
 */
export async function deleteOrphanedUploads(db: Db, uploads: Uploads, now: Date): Promise<number> {
  const before = new Date(now.getTime() - MIN_AGE_MS)
  await uploads.deleteOldDrafts(before)
  return (await deleteUnusedImages(db, uploads, before)) + (await deleteUnusedVideos(db, uploads, before))
}

async function deleteUnusedImages(db: Db, uploads: Uploads, before: Date): Promise<number> {
  const references = await sql<{ table_name: string; column_name: string }>`
    select c.conrelid::regclass::text as table_name, a.attname as column_name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'images'::regclass and cardinality(c.conkey) = 1`.execute(db)
  const unused = sql.join(
    references.rows.map(
      ({ table_name, column_name }) => sql`not exists (select 1 from ${sql.table(table_name)} r where r.${sql.ref(column_name)} = i.id)`,
    ),
    sql` and `,
  )
  const { rows } = await sql<{ id: number }>`
    select i.id from images i where i.created_at < ${before} and ${unused}
      and not exists (select 1 from settings s where s.value::text like '%' || i.token || '%')
    order by i.created_at limit ${BATCH_SIZE}`.execute(db)
  let deleted = 0
  for (const { id } of rows) {
    const image = await deleteUnused(() =>
      db
        .deleteFrom('images')
        .where('id', '=', id)
        .where('created_at', '<', before)
        .returning(['token', 'width', 'height', 'widths', 'placeholder', 'is_illustration', 'created_at'])
        .executeTakeFirst(),
    )
    if (!image) continue
    await orRestore(
      () => removePicture(uploads, image),
      () => db.insertInto('images').values(image).execute(),
    )
    deleted += 1
  }
  return deleted
}

async function deleteUnusedVideos(db: Db, uploads: Uploads, before: Date): Promise<number> {
  let deleted = 0
  for (; deleted < BATCH_SIZE; deleted++) {
    const { rows } = await sql<{ token: string; bytes: number; created_at: Date }>`
      delete from videos where token = (
        select token from videos f where f.created_at < ${before}
          and not exists (select 1 from product_media m where m.video_url = '/uploads/' || f.token || '.mp4')
        limit 1 for update skip locked)
      returning token, bytes, created_at`.execute(db)
    const video = rows[0]
    if (!video) break
    await orRestore(
      () => uploads.delete(videoName(video.token)),
      () => db.insertInto('videos').values(video).execute(),
    )
  }
  return deleted
}

/** Deletes the files of a row that is deleted. When that fails, the row returns, so that the next run finds them. */
async function orRestore(deleteFiles: () => Promise<void>, restoreRow: () => Promise<unknown>): Promise<void> {
  try {
    await deleteFiles()
  } catch (error) {
    await restoreRow()
    throw error
  }
}

/** Runs a deletion; nothing when a concurrent transaction has added a reference: a foreign key, or a logo, which renews the age. */
async function deleteUnused<Row>(remove: () => Promise<Row>): Promise<Row | undefined> {
  try {
    return await remove()
  } catch (error) {
    if (constraintOf(error) !== null) return undefined
    throw error
  }
}
