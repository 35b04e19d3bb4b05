import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** Filters of a list that somebody keeps by a name of their own. */
export interface SavedFilter {
  id: number
  name: string
  /** The query part of the list's address, without the question mark. */
  query: string
}

const MAX = 20

/** The filters this person saved for a screen, by name. */
export async function listSavedFilters(db: Db, userId: number, screen: string): Promise<SavedFilter[]> {
  const { rows } = await sql<SavedFilter>`
    select id, name, query from saved_filters where user_id = ${userId} and screen = ${screen} order by name limit ${MAX}`.execute(db)
  return rows
}

/** Keeps filters under a name, in place of those that had it; null when the person keeps too many already. */
export async function saveFilter(
  db: Db,
  userId: number,
  filter: { screen: string; name: string; query: string },
): Promise<SavedFilter | null> {
  const { rows } = await sql<SavedFilter>`
    insert into saved_filters (user_id, screen, name, query)
    select ${userId}, ${filter.screen}, ${filter.name}, ${filter.query}
    where (select count(*) from saved_filters where user_id = ${userId} and screen = ${filter.screen} and name <> ${filter.name}) < ${MAX}
    on conflict (user_id, screen, name) do update set query = excluded.query returning id, name, query`.execute(db)
  return rows[0] ?? null
}

/** Lets a saved filter go; false when there is none of that person. */
export async function deleteFilter(db: Db, userId: number, id: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`delete from saved_filters where id = ${id} and user_id = ${userId} returning id`.execute(db)
  return rows.length > 0
}
