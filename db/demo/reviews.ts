import { sql } from 'kysely'
import { shortName } from '#features/reviews/rules.ts'
import { daysBefore } from '#lib/format/time.ts'
import type { Db } from '#lib/db/db.server.ts'

interface DemoReview {
  phone: string
  /** Tag number or picture name of a product that this phone's order has. */
  product: string
  daysAgo: number
  rating: number
  body: string
  answer?: string
  isWaiting?: boolean
}

/** Reviews of delivered demo orders, in both languages; one waits for staff. */
const REVIEWS: DemoReview[] = [
  {
    phone: '01811000001',
    product: 'papaya',
    daysAgo: 36,
    rating: 5,
    body: 'Red inside and sweet, ready for breakfast the next day. Ten kilos and only one bruised papaya.',
    answer: 'Thank you! Send us a photo of the bruised one next time and we take it off your bill.',
  },
  { phone: '01811000001', product: 'lemon', daysAgo: 36, rating: 4, body: 'Juicy and fresh. A little smaller than last time.' },
  {
    phone: '01811000002',
    product: 'B-216',
    daysAgo: 24,
    rating: 5,
    body: 'গরু ছবির মতোই ছিল, কানের ট্যাগ মিলিয়ে নিয়েছি। চূড়ান্ত ওজন আমার সামনে নেওয়া হয়েছে।',
    answer: 'ধন্যবাদ ভাই। আপনাদের আস্থাই আমাদের ভরসা।',
  },
  { phone: '01611000004', product: 'guava', daysAgo: 1, rating: 4, body: 'পেয়ারা টাটকা আর মচমচে। ডেলিভারি বিকেলে এসেছে, সকালে এলে আরও ভালো হতো।' },
  { phone: '01611000004', product: 'coconut', daysAgo: 1, rating: 3, body: 'Good coconuts, two of ten were dry.', isWaiting: true },
]

/** Inserts the reviews of the demo's buyers. */
export async function addReviews(tx: Db, productIds: Map<string, number>, now: Date): Promise<void> {
  for (const { phone, product, daysAgo, rating, body, answer = '', isWaiting = false } of REVIEWS) {
    const { rows } = await sql<{ id: number; name: string }>`
      select o.id, o.name from orders o join order_lines l on l.order_id = o.id and l.product_id = ${productIds.get(product)!}
      where o.phone = ${phone} and o.status in ('delivered', 'completed')`.execute(tx)
    const order = rows[0]
    if (!order) throw new Error(`no delivered demo order of ${phone} has ${product}`)
    await tx
      .insertInto('reviews')
      .values({
        order_id: order.id,
        product_id: productIds.get(product)!,
        rating,
        body,
        shown_name: shortName(order.name),
        state: isWaiting ? 'waiting' : 'published',
        answer,
        created_at: daysBefore(now, daysAgo),
      })
      .execute()
  }
}
