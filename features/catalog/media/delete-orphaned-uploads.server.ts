import { sql } from 'kysely'
import { DAY_MS } from '#lib/format/time.ts'
import { constraintOf, type Db } from '#lib/db/db.server.ts'
import { runEach } from '#lib/db/run-each.server.ts'
import { isBucketAway } from '#lib/files/bucket-error.server.ts'
import { removePicture } from './images.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { videoName } from './videos.server.ts'

const MIN_AGE_MS = DAY_MS
/** Pictures, and videos, of one run: a single buyer may replace 120 pictures of reviews an hour. */
const MAX_PER_RUN = 1000
/** No deletion begins after this time, because a process that stops waits for the run. The next run goes on. */
const MAX_RUN_MS = 10_000

/**
 * Deletes pictures and videos that are at least a day old and not referenced, the oldest first; returns their number. References are
 * foreign keys, and tokens in the settings. The row is deleted before the files, so that a row in use always has its files; it returns when
 * they could not be deleted, for the next run. Such files block no others: the error is thrown after the last one. Without the bucket no
 * further deletion begins. Files in progress that a killed process left go as well.
 */
export async function deleteOrphanedUploads(db: Db, uploads: Uploads, now: Date): Promise<number> {
  const before = new Date(now.getTime() - MIN_AGE_MS)
  await uploads.deleteOldDrafts(before)
  const images = await findUnusedImages(db, before)
  const videos = await findUnusedVideos(db, before)
  const deletions = [
    ...images.map(
      ({ id }) =>
        () =>
          deleteImage(db, uploads, id, before),
    ),
    ...videos.map(
      ({ token }) =>
        () =>
          deleteVideo(db, uploads, token),
    ),
  ]
  let deleted = 0
  let isAway = false
  const end = performance.now() + MAX_RUN_MS
  await runEach(deletions, async (run) => {
    if (isAway || performance.now() > end) return
    try {
      if (await run()) deleted += 1
    } catch (error) {
      isAway = isBucketAway(error)
      throw error
    }
  })
  return deleted
}

async function findUnusedImages(db: Db, before: Date): Promise<{ id: number }[]> {
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
    order by i.created_at limit ${MAX_PER_RUN}`.execute(db)
  return rows
}

/** False for a picture that is referenced since. */
async function deleteImage(db: Db, uploads: Uploads, id: number, before: Date): Promise<boolean> {
  const image = await deleteUnused(() =>
    db
      .deleteFrom('images')
      .where('id', '=', id)
      .where('created_at', '<', before)
      .returning(['token', 'width', 'height', 'widths', 'placeholder', 'is_illustration', 'created_at'])
      .executeTakeFirst(),
  )
  if (!image) return false
  await orRestore(
    () => removePicture(uploads, image),
    () => db.insertInto('images').values(image).execute(),
  )
  return true
}

/** Whether no product shows the video `f`. */
const isUnusedVideo = sql`not exists (select 1 from product_media m where m.video_url = '/uploads/' || f.token || '.mp4')`

async function findUnusedVideos(db: Db, before: Date): Promise<{ token: string }[]> {
  const { rows } = await sql<{ token: string }>`
    select f.token from videos f where f.created_at < ${before} and ${isUnusedVideo} order by f.created_at limit ${MAX_PER_RUN}`.execute(db)
  return rows
}

/** False for a video that is referenced since, or that another process deletes. */
async function deleteVideo(db: Db, uploads: Uploads, token: string): Promise<boolean> {
  const { rows } = await sql<{ token: string; bytes: number; created_at: Date }>`
    delete from videos where token = (
      select f.token from videos f where f.token = ${token} and ${isUnusedVideo} for update skip locked)
    returning token, bytes, created_at`.execute(db)
  const video = rows[0]
  if (!video) return false
  await orRestore(
    () => uploads.delete(videoName(video.token)),
    () => db.insertInto('videos').values(video).execute(),
  )
  return true
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
