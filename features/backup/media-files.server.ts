import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** Pictures and videos of the database, and how many of them have a file. */
export interface CountedMedia {
  stored: number
  found: number
}

const TOKEN = /^[0-9a-f]{32}$/
const MEDIA = sql`(select token, created_at from images union all select token, created_at from videos) m`

/** A name begins with the token of its row. */
const tokenOf = (name: string) => name.split(/[-.]/)[0]!
const tokensOf = (names: readonly string[]) => [...new Set(names.map(tokenOf))]

/** Counts the pictures and videos that were stored before a time, whose files are written by then. */
export async function countMedia(db: Db, files: readonly string[], before: Date): Promise<CountedMedia> {
  const { rows } = await sql<CountedMedia>`
    select count(*)::int as stored, (count(*) filter (where token = any(${tokensOf(files)}::text[])))::int as found
    from ${MEDIA} where created_at < ${before}`.execute(db)
  return rows[0]!
}

/**
 * The files whose picture or video has no row, and which no job deletes: release 0.1.0 left them when it was killed, and so does a restore
 * over a shop. `files` were listed before the call, because a row is older than its files.
 */
export async function findUnnamedFiles(db: Db, files: readonly string[]): Promise<string[]> {
  const tokens = tokensOf(files).filter((token) => TOKEN.test(token))
  const { rows } = await sql<{ token: string }>`
    select token from unnest(${tokens}::text[]) as t(token)
    where not exists (select 1 from ${MEDIA} where m.token = t.token)
      and not exists (select 1 from deleted_uploads d where d.file_names[1] like t.token || '%')`.execute(db)
  const unnamed = new Set(rows.map(({ token }) => token))
  return files.filter((name) => unnamed.has(tokenOf(name)))
}
