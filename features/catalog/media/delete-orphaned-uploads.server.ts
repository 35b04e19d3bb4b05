import { sql } from 'kysely'
import { DAY_MS } from '#lib/format/time.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { runEach } from '#lib/db/run-each.server.ts'
import { isBucketAway } from '#lib/files/bucket-error.server.ts'
import { pictureFiles } from './images.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { videoName } from './videos.server.ts'

const MIN_AGE_MS = DAY_MS
/** Pictures, and videos, of one run: a single buyer may replace 120 pictures of reviews an hour. */
const MAX_PER_RUN = 1000
/** No deletion begins after this time, because a process that stops waits for the run. The next run goes on. */
const MAX_RUN_MS = 10_000

/**
 * Deletes pictures and videos that are at least a day old and not referenced, the oldest first; returns the number of those whose files are
 * gone. References are foreign keys, and tokens in the settings. Files in progress that a killed process left go as well.
 */
export async function deleteOrphanedUploads(db: Db, uploads: Uploads, now: Date): Promise<number> {
  const before = new Date(now.getTime() - MIN_AGE_MS)
  const end = performance.now() + MAX_RUN_MS
  await uploads.deleteOldDrafts(before)
  for (const { id } of await findUnusedImages(db, before)) if (performance.now() < end) await deleteImage(db, id, before)
  for (const { token } of await findUnusedVideos(db, before)) if (performance.now() < end) await deleteVideo(db, token)
  return deleteFiles(db, uploads, end)
}

/** Records the files of an upload for `deleteFiles`, in the transaction that deletes its row: a killed process leaves no others. */
export async function recordDeletedFiles(tx: Db, names: string[]): Promise<void> {
  await tx.insertInto('deleted_uploads').values({ file_names: names }).execute()
}

/**
 * Deletes the files of deleted uploads; returns the number of uploads. Files that cannot be deleted stay for the next run and block no
 * others: the error is thrown after the last one. Without the bucket no further deletion begins, nor after `end` (`performance.now()`).
 */
export async function deleteFiles(db: Db, uploads: Uploads, end = Infinity): Promise<number> {
  const rows = await db
    .selectFrom('deleted_uploads')
    .select(['id', 'file_names'])
    .orderBy('id')
    .limit(2 * MAX_PER_RUN)
    .execute()
  let deleted = 0
  let isAway = false
  await runEach(rows, async ({ id, file_names }) => {
    if (isAway || performance.now() > end) return
    try {
      await Promise.all(file_names.map((name) => uploads.delete(name)))
    } catch (error) {
      isAway = isBucketAway(error)
      throw error
    }
    await db.deleteFrom('deleted_uploads').where('id', '=', id).execute()
    deleted += 1
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

/** Deletes nothing when a concurrent transaction has added a reference: a foreign key, or a logo, which renews the age. */
async function deleteImage(db: Db, id: number, before: Date): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      const image = await tx
        .deleteFrom('images')
        .where('id', '=', id)
        .where('created_at', '<', before)
        .returning(['token', 'widths'])
        .executeTakeFirst()
      if (image) await recordDeletedFiles(tx, pictureFiles(image))
    })
  } catch (error) {
    if (constraintOf(error) === null) throw error
  }
}

/** Whether no product shows the video `f`. */
const isUnusedVideo = sql`not exists (select 1 from product_media m where m.video_url = '/uploads/' || f.token || '.mp4')`

async function findUnusedVideos(db: Db, before: Date): Promise<{ token: string }[]> {
  const { rows } = await sql<{ token: string }>`
    select f.token from videos f where f.created_at < ${before} and ${isUnusedVideo} order by f.created_at limit ${MAX_PER_RUN}`.execute(db)
  return rows
}

/** Deletes nothing when a product shows the video by now, or another process has locked it to show or delete it. */
async function deleteVideo(db: Db, token: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const locked = await sql`select 1 from videos where token = ${token} for update skip locked`.execute(tx)
    if (locked.rows.length === 0) return
    // A statement of its own sees the products that were stored until the lock.
    const { rows } = await sql`delete from videos f where f.token = ${token} and ${isUnusedVideo} returning 1`.execute(tx)
    if (rows.length > 0) await recordDeletedFiles(tx, [videoName(token)])
  })
}
