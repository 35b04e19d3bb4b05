import { sql } from 'kysely'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { largestFileUrl } from './media/picture-columns.server.ts'
import { findProduct } from './queries.server.ts'
import type { HealthRecordJson, ProductDetailJson } from './types.ts'

/** The public card of an animal, sold or not: its details and its health records; null when there is no such animal. */
export async function findAnimalCard(
  db: Db,
  id: number,
  lang: Lang,
): Promise<{ animal: ProductDetailJson; health: HealthRecordJson[] } | null> {
  const [animal, health] = await Promise.all([findProduct(db, id, lang, 'every'), listShownHealthRecords(db, id, lang)])
  return animal?.is_unique ? { animal, health } : null
}

/** The health records of an animal, newest first. A record in one language only is shown in both. */
export async function listShownHealthRecords(db: Db, id: number, lang: Lang): Promise<HealthRecordJson[]> {
  const { rows } = await sql<HealthRecordJson>`
    select h.on_day, h.kind, h.vet, coalesce(nullif(${columnIn(lang, 'h.what')}, ''), nullif(h.what_en, ''), h.what_bn) as what,
      case when i.id is null then null else ${largestFileUrl} end as picture_url
    from health_records h left join images i on i.id = h.image_id where h.product_id = ${id} order by h.on_day desc, h.id desc limit 100`.execute(
    db,
  )
  return rows
}
