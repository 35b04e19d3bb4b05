import { sql } from 'kysely'
import type { RateTier } from '#features/catalog/products/live-weight-rules.ts'
import { listRateTiers } from '#features/catalog/products/rate-tiers.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import { sha256Hex } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'

/** The rates of a category in a season; kilograms and taka per kilogram. */
export interface RateTableItem {
  category_id: number
  category: string
  season: string
  tiers: { from_kg: number; per_kg: number }[]
  /** The table applies in the current season. */
  counts: boolean
}

/** A category that is sold by live weight. */
export interface RatedCategory {
  id: number
  name: string
  /** The season with which new rates begin: the current one for Kurbani, all year for others. */
  season: string
}

/** All tables of rates, those of the current season first. */
export async function listRateTables(db: Db, season: string, lang: Lang): Promise<RateTableItem[]> {
  const { rows } = await sql<RateTableItem>`
    select c.id as category_id, ${columnIn(lang, 'c.name')} as category, t.season,
      json_agg(json_build_object('from_kg', t.from_grams / 1000.0, 'per_kg', t.poisha_per_kg / 100.0) order by t.from_grams) as tiers,
      t.season = ${seasonOf(season)} as counts
    from rate_tiers t join categories c on c.id = t.category_id group by c.id, t.season order by counts desc, c.priority, c.id, t.season`.execute(
    db,
  )
  return rows
}

/** The categories that can have rates. */
export async function listRatedCategories(db: Db, season: string, lang: Lang): Promise<RatedCategory[]> {
  const { rows } = await sql<RatedCategory>`
    select c.id, ${columnIn(lang, 'c.name')} as name, ${seasonOf(season)} as season
    from categories c where c.delivery_group = 'cattle' order by c.priority, c.id`.execute(db)
  return rows
}

/** The season whose rates a category has now. */
const seasonOf = (season: string) => sql`case when c.key = 'kurbani' then ${season} else '' end`

/** The rates of a category in a season, with their hash for optimistic locking. */
export async function readRates(db: Db, categoryId: number, season: string): Promise<{ tiers: RateTier[]; hash: string }> {
  const tiers = await listRateTiers(db, categoryId, season)
  return { tiers, hash: hashOf(tiers) }
}

export const hashOf = (state: unknown): string => sha256Hex(JSON.stringify(state)).slice(0, 32)

/** The hash of a table without rates. */
export const EMPTY_RATES_HASH = hashOf([])
