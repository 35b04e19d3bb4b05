import { type RawBuilder, sql } from 'kysely'
import { pictureJson } from '#features/catalog/media/picture-columns.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetCursor, type KeysetPage, keysetPage } from '#lib/db/keyset.ts'
import { dhakaDay } from '#lib/db/dhaka-day.server.ts'
import { averageRating, type ReviewState } from './rules.ts'
import type { OwnReview, ProductReviewsJson, ReviewJson, ReviewRow } from './types.ts'

/** Reviews below a product's particulars; the others are on a page of their own. */
const MAX_NEWEST = 3
const SHOP_PAGE_SIZE = 20
const ADMIN_PAGE_SIZE = 50

const picturesOf = (value: RawBuilder<unknown>) => sql`coalesce((select json_agg(${value} order by f.position)
  from review_pictures f join images i on i.id = f.image_id where f.review_id = r.id), '[]') as pictures`

const shownColumns = sql`r.id, r.rating, r.body, r.shown_name as name, ${dhakaDay(sql`r.created_at`)}::text as day, r.answer,
  ${picturesOf(pictureJson)}`

/** The rating of a product and its newest published reviews, in one query that adds up nothing. */
export async function findProductReviews(db: Db, productId: number): Promise<ProductReviewsJson> {
  const { rows } = await sql<{ count: number; sum: number; newest: ReviewJson[] }>`
    select k.review_count as count, k.rating_sum as sum, coalesce((select json_agg(n order by n.id desc) from (
      select ${shownColumns} from reviews r where r.product_id = k.product_id and r.state = 'published'
      order by r.id desc limit ${MAX_NEWEST}) n), '[]') as newest
    from product_ratings k where k.product_id = ${productId} and k.review_count > 0`.execute(db)
  const row = rows[0]
  return row ? { count: row.count, average: averageRating(row), newest: row.newest } : { count: 0, average: 0, newest: [] }
}

/** One page of the published reviews of a product, newest first. */
export async function listProductReviews(db: Db, productId: number, cursor: KeysetCursor): Promise<KeysetPage<ReviewJson>> {
  const { beyond, direction } = numericCursor(sql`r.id`, cursor)
  const { rows } = await sql<ReviewJson>`select ${shownColumns} from reviews r
    where r.product_id = ${productId} and r.state = 'published' and ${beyond}
    order by r.id ${direction} limit ${SHOP_PAGE_SIZE + 1}`.execute(db)
  return keysetPage(rows, cursor, SHOP_PAGE_SIZE, (row) => [row.id])
}

/** The reviews that the buyer wrote of an order's products. */
export async function listOwnReviews(db: Db, orderId: number): Promise<OwnReview[]> {
  const { rows } = await sql<OwnReview>`select r.product_id, r.rating, r.body, r.state, r.refusal, r.answer,
      ${picturesOf(sql`json_build_object('image_id', i.id, 'picture', ${pictureJson})`)}
    from reviews r where r.order_id = ${orderId} order by r.product_id`.execute(db)
  return rows
}

const adminColumns = sql`r.id, r.order_id, r.product_id, p.name_en as product_en, p.name_bn as product_bn, r.rating, r.body,
  r.shown_name as name, r.state, r.refusal, r.answer, r.version, to_json(r.created_at) #>> '{}' as created_at, ${picturesOf(pictureJson)}`

/** One page of the reviews in a state, or of all, newest first. */
export async function listReviews(db: Db, state: ReviewState | undefined, cursor: KeysetCursor): Promise<KeysetPage<ReviewRow>> {
  const { beyond, direction } = numericCursor(sql`r.id`, cursor)
  const { rows } = await sql<ReviewRow>`select ${adminColumns} from reviews r join products p on p.id = r.product_id
    where ${state ? sql`r.state = ${state}` : sql`true`} and ${beyond}
    order by r.id ${direction} limit ${ADMIN_PAGE_SIZE + 1}`.execute(db)
  return keysetPage(rows, cursor, ADMIN_PAGE_SIZE, (row) => [row.id])
}

/** One review in the admin, or null. */
export async function findReview(db: Db, id: number): Promise<ReviewRow | null> {
  const { rows } =
    await sql<ReviewRow>`select ${adminColumns} from reviews r join products p on p.id = r.product_id where r.id = ${id}`.execute(db)
  return rows[0] ?? null
}
