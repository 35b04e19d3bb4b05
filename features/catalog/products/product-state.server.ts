import { sql } from 'kysely'
import type { WeighInJson } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'

/** The seasons with rates, in descending order. */
export async function listSeasons(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('rate_tiers').select('season').distinct().where('season', '<>', '').orderBy('season', 'desc').execute()
  return rows.map((row) => row.season)
}

/** The last 20 weigh-ins of an animal, newest first. */
export async function listWeighIns(db: Db, productId: number): Promise<WeighInJson[]> {
  const { rows } = await sql<WeighInJson>`select weighed_on, grams::float8 / 1000 as weight_kg, method, weighed_by from weigh_ins
    where product_id = ${productId} order by weighed_on desc, id desc limit 20`.execute(db)
  return rows
}
