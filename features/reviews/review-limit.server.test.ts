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

it('no stranger uses up the attempts of a buyer', async () => {
  const buyer = shop.visitor()
  const body = orderBody(area.id, [[mango.id, 2]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  const id = (await buyer.post('/customer-orders', body)).body.order_id!
  await sql`update orders set status = 'delivered' where id = ${id}`.execute(db)
  shop.deps.env.rateLimit = true
  const send = async (who = buyer) => (await sendReview(who, id, { product_id: mango.id, rating: 4, body: 'Sweet' })).status
  for (let attempt = 0; attempt < 41; attempt += 1) expect(await send(shop.visitor())).toBe(404)
  for (let attempt = 0; attempt < 40; attempt += 1) expect(await send()).toBe(200)
  const limited = await sendReview(buyer, id, { product_id: mango.id, rating: 4, body: 'Sweet' })
  expect([limited.status, Number(limited.headers['retry-after']) > 0]).toEqual([429, true])
})
