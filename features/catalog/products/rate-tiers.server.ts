// The only reader of live-weight rates for prices.
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
