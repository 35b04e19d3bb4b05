import { sql } from 'kysely'
import type { WeighInJson } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'

/** The seasons that any rate is of, newest name first. */
export async function listSeasons(db: Db): Promise<string[]> {
  const { rows } = await sql<{ season: string }>`select distinct season from rate_tiers where season <> '' order by season desc`.execute(db)
  return rows.map((row) => row.season)
}

/** The weighings of an animal, newest first. */
export async function listWeighIns(db: Db, productId: number): Promise<WeighInJson[]> {
  const { rows } = await sql<WeighInJson>`select weighed_on, grams::float8 / 1000 as weight_kg, method, weighed_by from weigh_ins
    where product_id = ${productId} order by weighed_on desc, id desc limit 20`.execute(db)
  return rows
}
