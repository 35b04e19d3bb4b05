// The only reader of live-weight rates for prices.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { toCamel } from '#lib/db/rows.ts'
import type { RateTier } from './live-weight-rules.ts'

/** The rate tiers of a category in a season, by lower bound. */
export async function listRateTiers(db: Db, categoryId: number, season: string): Promise<RateTier[]> {
  const rows = await db
    .selectFrom('rate_tiers')
    .select(['from_grams', 'poisha_per_kg'])
    .where('category_id', '=', categoryId)
    .where('season', '=', season)
    .orderBy('from_grams')
    .execute()
  return rows.map(toCamel<RateTier>)
}

const keyOf = (categoryId: number, season: string): RawBuilder<unknown> => sql`hashtextextended(${`rates of ${categoryId} ${season}`}, 0)`

/**
 * The rate tiers that price an animal which is created, or comes into the category or season. They stay as they are until the transaction
 * ends: setting them locks the animals that are in the table already, and would leave out this one.
 */
export async function shareRateTiers(tx: Db, categoryId: number, season: string): Promise<RateTier[]> {
  await sql`select pg_advisory_xact_lock_shared(${keyOf(categoryId, season)})`.execute(tx)
  return listRateTiers(tx, categoryId, season)
}

/** Locks rates that are to be set, after the animals that are being priced by them. */
export async function lockRateTiers(tx: Db, categoryId: number, season: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${keyOf(categoryId, season)})`.execute(tx)
}

/** The rate tiers of now of a category: those of the current season for Kurbani, of no season for others. */
export function listCurrentRateTiers(db: Db, category: { id: number; key: string | null }, kurbaniSeason: string): Promise<RateTier[]> {
  return listRateTiers(db, category.id, category.key === 'kurbani' ? kurbaniSeason : '')
}

export interface RateTierOfTable extends RateTier {
  categoryId: number
  season: string
}

/** The rate tiers of all categories and seasons. */
export async function listAllRateTiers(db: Db): Promise<RateTierOfTable[]> {
  const rows = await db.selectFrom('rate_tiers').select(['category_id', 'season', 'from_grams', 'poisha_per_kg']).execute()
  return rows.map(toCamel<RateTierOfTable>)
}
