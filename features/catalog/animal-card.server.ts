import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { findProduct } from './queries.server.ts'
import type { HealthRecordJson, ProductDetailJson } from './types.ts'

/** What anybody may know of an animal, sold or not: the animal itself and its health papers, newest first; null when there is none. */
export async function findAnimalCard(
  db: Db,
  id: number,
  lang: Lang,
): Promise<{ animal: ProductDetailJson; health: HealthRecordJson[] } | null> {
  const [animal, { rows }] = await Promise.all([
    findProduct(db, id, lang, 'every'),
    // SerializedResult in one language only, it is still worth reading.
    sql<HealthRecordJson>`
      select h.on_day, h.kind, h.vet, coalesce(nullif(${lang === 'bn' ? sql`h.what_bn` : sql`h.what_en`}, ''), nullif(h.what_en, ''), h.what_bn) as what,
        case when i.id is null then null else '/uploads/' || i.token || '-' || i.widths[array_upper(i.widths, 1)] || '.webp' end as picture_url
      from health_records h left join images i on i.id = h.image_id where h.product_id = ${id} order by h.on_day desc, h.id desc limit 100`.execute(
      db,
    ),
  ])
  return animal?.is_unique ? { animal, health: rows } : null
}
