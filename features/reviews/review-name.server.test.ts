import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { sendReview } from './testing/send-review.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)

it.each([
  ['01711223344', 'ক্রেতা'],
  ['Walk-in customer', 'ক্রেতা'],
  ['Rahim Uddin', 'Rahim U.'],
  ['👨‍👩‍👧‍👦'.repeat(9) + ' x', expect.any(String)],
])('an order in the name of %s shows the review of %s', async (name, shown) => {
  const buyer = shop.visitor()
  const body = orderBody(area.id, [[mango.id, 2]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  const id = (await buyer.post('/customer-orders', body)).body.order_id!
  await sql`update orders set status = 'delivered', name = ${name}, lang = 'bn' where id = ${id}`.execute(db)
  expect((await sendReview(buyer, id, { product_id: mango.id, rating: 4, body: 'Sweet' })).status).toBe(200)
  const { rows } = await sql<{ shown_name: string }>`select shown_name from reviews where order_id = ${id}`.execute(db)
  expect(rows[0]!.shown_name).toEqual(shown)
})
