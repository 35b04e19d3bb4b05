import { sql } from 'kysely'
import { derivedUrl } from '#lib/files/derived-picture.ts'
import { IS_ORDERABLE } from '#features/catalog/orderable.server.ts'
import { productColumns, type ProductRow } from '#features/catalog/product-rows.server.ts'
import { storedDiscount } from '#features/catalog/shown-price-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { FeedProduct } from './feed-rules.ts'

/**
 * Orderable products with a picture and an id above `after`, by id. The pictures have the bound too: PostgreSQL merges both indexes, and would
 * read the pictures of all earlier products for each batch.
 */
export async function listFeedProducts(db: Db, after: number, limit: number, lang: Lang): Promise<FeedProduct[]> {
  const { rows } = await sql<ProductRow & { description_en: string; description_bn: string }>`
    select ${productColumns}, p.description_en, p.description_bn from products p join categories c on c.id = p.category_id
    where p.id > ${after} and p.visible and ${IS_ORDERABLE}
      and exists (select 1 from product_media m where m.product_id = p.id and m.product_id > ${after} and m.image_id is not null)
    order by p.id limit ${limit}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    name: lang === 'bn' ? row.name_bn : row.name_en,
    description: lang === 'bn' ? row.description_bn : row.description_en,
    category: row.categories[0]?.[lang] ?? '',
    status: row.status,
    unit: row.unit,
    pricePoisha: row.price_poisha,
    discount: storedDiscount(row),
    deliveryOn: row.shown_delivery_on,
    tagNumber: row.tag_number,
    weightGrams: row.sold_by_live_weight ? row.weight_grams : null,
    pictures: row.pictures.map((picture) => derivedUrl(picture, 'feed')),
  }))
}
