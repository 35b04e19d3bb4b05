import { type ClientRequest, request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { reviewPhoto, sendReview } from './testing/send-review.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
const buyer = shop.visitor()
const body = orderBody(area.id, [[mango.id, 2]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
const id = (await buyer.post('/customer-orders', body)).body.order_id!
await sql`update orders set status = 'delivered' where id = ${id}`.execute(db)

const MB = 1024 * 1024
const PICTURE = Buffer.alloc(8 * MB, 0xff)
const field = (name: string, value: string) => `--B\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const HEAD = Buffer.from(
  `${field('product_id', String(mango.id))}${field('rating', '4')}--B\r\ncontent-disposition: form-data; name="pictures"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`,
)
const END = Buffer.from('\r\n--B--\r\n')

/** Sends a review with a picture, all but its end. */
async function begin(): Promise<{ sending: ClientRequest; status: Promise<number | undefined> }> {
  const headers = {
    'content-type': 'multipart/form-data; boundary=B',
    'content-length': HEAD.length + PICTURE.length + END.length,
    accept: 'application/json',
    'x-csrf-token': await buyer.token(),
    cookie: [...buyer.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }
  const sending = request(`${buyer.url}/orders/${id}/reviews`, { method: 'POST', headers, agent: false })
  const status = new Promise<number | undefined>((resolve, reject) => {
    sending.on('response', (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    sending.on('error', reject)
  })
  sending.write(HEAD)
  sending.write(PICTURE)
  return { sending, status }
}

it('of twelve pictures that come at once for an order, two are in memory', async () => {
  const before = process.memoryUsage().arrayBuffers
  const uploads = await Promise.all(Array.from({ length: 12 }, begin))
  let highest = 0
  for (let sample = 0; sample < 40; sample += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    highest = Math.max(highest, process.memoryUsage().arrayBuffers - before)
  }
  for (const { sending } of uploads) sending.end(END)
  // No picture, but each is read.
  expect(await Promise.all(uploads.map(({ status }) => status))).toEqual(Array.from({ length: 12 }, () => 422))
  expect(highest / MB).toBeLessThan(48)
})

it('uploads whose browser goes away make room for others', async () => {
  const gone = await Promise.all([begin(), begin()])
  await new Promise((resolve) => setTimeout(resolve, 200))
  const waiting = await begin()
  waiting.sending.end(END)
  for (const { sending, status } of gone) {
    status.catch(() => {})
    sending.destroy()
  }
  expect(await waiting.status).toBe(422)
})

it('no picture is encoded for a review that is published', async () => {
  const photo = await reviewPhoto()
  const send = () => sendReview(buyer, id, { product_id: mango.id, rating: 4, pictures: photo })
  expect((await send()).status).toBe(200)
  await sql`update reviews set state = 'published'`.execute(db)
  const writes: string[] = []
  const { write } = shop.deps.uploads
  shop.deps.uploads.write = async (name, bytes) => {
    writes.push(name)
    return write.call(shop.deps.uploads, name, bytes)
  }
  expect([(await send()).status, writes]).toEqual([409, []])
})
