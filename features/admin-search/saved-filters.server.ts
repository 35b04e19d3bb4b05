import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'

/** Filters of a list that a user saved under a name. */
export interface SavedFilter {
  id: number
  name: string
  /** Query string of the list's URL, without the question mark. */
  query: string
}

const MAX_FILTERS = 20

/** The filters that a user saved for a screen, by name. */
export function listSavedFilters(db: Db, userId: number, screen: string): Promise<SavedFilter[]> {
  return db
    .selectFrom('saved_filters')
    .select(['id', 'name', 'query'])
    .where('user_id', '=', userId)
    .where('screen', '=', screen)
    .orderBy('name')
    .limit(MAX_FILTERS)
    .execute()
}

/** Saves filters under a name and replaces those of that name. Null when the user has 20 others for the screen. */
export function saveFilter(db: Db, userId: number, filter: { screen: string; name: string; query: string }): Promise<SavedFilter | null> {
  return inTransaction(db, async (tx) => {
    // Filters that a user saves at the same time would not count each other.
    await sql`select 1 from users where id = ${userId} for no key update`.execute(tx)
    const { rows } = await sql<SavedFilter>`
    insert into saved_filters (user_id, screen, name, query)
    select ${userId}, ${filter.screen}, ${filter.name}, ${filter.query}
    where (select count(*) from saved_filters where user_id = ${userId} and screen = ${filter.screen} and name <> ${filter.name}) < ${MAX_FILTERS}
    on conflict (user_id, screen, name) do update set query = excluded.query returning id, name, query`.execute(tx)
    return rows[0] ?? null
  })
}

/** Deletes a saved filter; false when this user has none with the id. */
export async function deleteFilter(db: Db, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_filters')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
