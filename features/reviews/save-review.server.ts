import { sql } from 'kysely'
import { givenName } from '#features/auth/placeholder-names.server.ts'
import { mayOpenOrder, type OrderVisitor } from '#features/orders/queries.server.ts'
import { isHandedOver, type OrderStatus } from '#features/orders/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { inTransactionOrRollback } from '#lib/db/rollback.server.ts'
import type { ReviewInput } from './forms.ts'
import { MAX_REVIEW_PICTURES, shortName } from './rules.ts'

export type ReviewConflict = 'not-found' | 'not-delivered' | 'published' | 'too-many-pictures'
export type ReviewSaved = { ok: true } | { ok: false; reason: ReviewConflict }

interface ReviewedOrder {
  status: OrderStatus
  name: string
  lang: Lang
  customer_id: number
  access_token_hash: Buffer | null
  view_key: string
  has_product: boolean
  is_published: boolean
}

/** Whether a visitor may review a product of an order. An order of others and a missing product cannot be told apart. */
export async function findReviewConflict(
  db: Db,
  orderId: number,
  productId: number,
  visitor: OrderVisitor,
): Promise<ReviewConflict | null> {
  return conflictOf(await readOrder(db, orderId, productId), visitor)
}

/**
 * Saves a buyer's review, which then waits for staff: one an order and product, so of two sent at once the later one stands. A published
 * review is not changed. `added` are the ids of new pictures.
 */
export function saveReview(
  db: Db,
  orderId: number,
  visitor: OrderVisitor,
  { product_id, rating, body, keep }: ReviewInput,
  added: number[],
): Promise<ReviewSaved> {
  return inTransactionOrRollback<ReviewSaved>(db, async (tx, rollBack) => {
    // The lock keeps out the erasure of the buyer, who would leave a name behind.
    const order = await readOrder(tx, orderId, product_id, sql`for share of o`)
    const reason = conflictOf(order, visitor)
    if (order === null || reason !== null) return { ok: false, reason: reason ?? 'not-found' }
    const { rows } = await sql<{ id: number }>`
      insert into reviews (order_id, product_id, rating, body, shown_name)
      values (${orderId}, ${product_id}, ${rating}, ${body}, ${nameOf(order)})
      on conflict (order_id, product_id) do update set rating = excluded.rating, body = excluded.body, shown_name = excluded.shown_name,
        state = 'waiting', refusal = '', version = reviews.version + 1
      where reviews.state <> 'published' returning id`.execute(tx)
    const id = rows[0]?.id
    if (id === undefined) return { ok: false, reason: 'published' }
    const retained = await sql<{ image_id: number }>`select image_id from review_pictures
      where review_id = ${id} and image_id = any(${keep}) order by position`.execute(tx)
    const images = [...retained.rows.map(({ image_id }) => image_id), ...added]
    if (images.length > MAX_REVIEW_PICTURES) rollBack({ ok: false, reason: 'too-many-pictures' })
    await tx.deleteFrom('review_pictures').where('review_id', '=', id).execute()
    if (images.length > 0)
      await tx
        .insertInto('review_pictures')
        .values(images.map((image_id, position) => ({ review_id: id, position, image_id })))
        .execute()
    return { ok: true }
  })
}

/** The name that is shown. Sales of the POS, and orders under a phone, have none. */
function nameOf({ name, lang }: ReviewedOrder): string {
  return shortName(givenName(name)) || translate(lang)('auth.unnamed')
}

function conflictOf(order: ReviewedOrder | null, visitor: OrderVisitor): ReviewConflict | null {
  if (order === null || !order.has_product || !mayOpenOrder(order, visitor)) return 'not-found'
  if (!isHandedOver(order.status)) return 'not-delivered'
  return order.is_published ? 'published' : null
}

async function readOrder(db: Db, orderId: number, productId: number, lock = sql``): Promise<ReviewedOrder | null> {
  const { rows } = await sql<ReviewedOrder>`
    select o.status, o.name, o.lang, o.customer_id, o.access_token_hash, o.view_key,
      exists (select 1 from order_lines l where l.order_id = o.id and l.product_id = ${productId}) as has_product,
      exists (select 1 from reviews r where r.order_id = o.id and r.product_id = ${productId} and r.state = 'published') as is_published
    from orders o where o.id = ${orderId} ${lock}`.execute(db)
  return rows[0] ?? null
}
