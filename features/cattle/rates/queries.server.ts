import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { sha256Hex } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'

/** The rates of one category in one season; kilograms and taka a kilogram. */
export interface RateTableItem {
  category_id: number
  category: string
  season: string
  tiers: { from_kg: number; per_kg: number }[]
  /** It is the one that notices print now. */
  counts: boolean
}

/** A category that is sold by live weight. */
export interface RatedCategory {
  id: number
  name: string
}

/** Every table of rates, those that count now first. */
export async function listRateTables(db: Db, season: string, lang: Lang): Promise<RateTableItem[]> {
  const { rows } = await sql<RateTableItem>`
    select c.id as category_id, ${nameIn(lang)} as category, t.season,
      json_agg(json_build_object('from_kg', t.from_grams / 1000.0, 'per_kg', t.poisha_per_kg / 100.0) order by t.from_grams) as tiers,
      t.season = case when c.key = 'kurbani' then ${season} else '' end as counts
    from rate_tiers t join categories c on c.id = t.category_id group by c.id, t.season order by counts desc, c.priority, c.id, t.season`.execute(
    db,
  )
  return rows
}

/** The categories that rates can be for. */
export async function listRatedCategories(db: Db, lang: Lang): Promise<RatedCategory[]> {
  const { rows } = await sql<RatedCategory>`select c.id, ${nameIn(lang)} as name from categories c
    where c.delivery_group = 'cattle' order by c.priority, c.id`.execute(db)
  return rows
}

const nameIn = (lang: Lang) => (lang === 'bn' ? sql`c.name_bn` : sql`c.name_en`)

export interface KeptTier {
  fromGrams: number
  poishaPerKg: number
}

/** The rates as they are kept, with a mark by which a later save knows that they still are. */
export async function readRates(db: Db, categoryId: number, season: string): Promise<{ tiers: KeptTier[]; seen: string }> {
  const { rows } = await sql<KeptTier>`select from_grams as "fromGrams", poisha_per_kg as "poishaPerKg" from rate_tiers
    where category_id = ${categoryId} and season = ${season} order by from_grams`.execute(db)
  return { tiers: rows, seen: markOf(rows) }
}

export const markOf = (state: unknown): string => sha256Hex(JSON.stringify(state)).slice(0, 32)

/** The mark where there are no rates yet. */
export const NO_RATES = markOf([])
