import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetCursor, type KeysetPage, keysetPage } from '#lib/db/keyset.ts'
import type { AreaRequestState } from './rules.ts'

/** A request in the admin. */
export interface AreaRequestRow {
  id: number
  name: string
  phone: string
  place: string
  state: AreaRequestState
  note: string
  version: number
  created_at: string
  handled_by: string | null
}

const COLUMNS = sql`r.id, r.name, r.phone, r.place, r.state, r.note, r.version, to_json(r.created_at) #>> '{}' as created_at,
  (select u.name from users u where u.id = r.handled_by) as handled_by`

const PAGE_SIZE = 50

/** One page of the requests in a state, or of all, newest first. */
export async function listAreaRequests(
  db: Db,
  state: AreaRequestState | undefined,
  cursor: KeysetCursor,
): Promise<KeysetPage<AreaRequestRow>> {
  const { beyond, direction } = numericCursor(sql`r.id`, cursor)
  const { rows } = await sql<AreaRequestRow>`select ${COLUMNS} from area_requests r
    where ${state ? sql`r.state = ${state}` : sql`true`} and ${beyond}
    order by r.id ${direction} limit ${PAGE_SIZE + 1}`.execute(db)
  return keysetPage(rows, cursor, PAGE_SIZE, (row) => [row.id])
}

/** One request, or null. */
export async function findAreaRequest(db: Db, id: number): Promise<AreaRequestRow | null> {
  const { rows } = await sql<AreaRequestRow>`select ${COLUMNS} from area_requests r where r.id = ${id}`.execute(db)
  return rows[0] ?? null
}
