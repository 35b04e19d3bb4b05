import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openLimitedBehindProxy, openLimitedShop } from '#test/limited-shop.ts'
import type { TestShop } from '#test/request.ts'

// A guest finds an order by its number and phone; a wrong phone learns nothing.

const { db, url } = await testDb()
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
let shop: TestShop
beforeEach(async () => {
  const [opened, close] = await openLimitedShop(db, url)
  shop = opened
  return close
})

let serial = 0
async function order() {
  const phone = `0171${String(5_000_000 + (serial += 1))}`
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const body = orderBody(area.id, [[mango.id, 1]], cash)
  const answer = await shop.post('/customer-orders', { ...body, customer: { ...body.customer, phone } })
  const id = answer.body.order_id!
  const { rows } = await sql<{ tracking_code: string }>`select tracking_code from orders where id = ${id}`.execute(db)
  return { id, phone, path: `/track/${rows[0]!.tracking_code}` }
}

const bengali = (text: string) => text.replace(/\d/g, (digit) => '০১২৩৪৫৬৭৮৯'[Number(digit)]!)
const find = (number: unknown, phone: unknown, ip?: string) =>
  shop.post('/track', { order: number, phone }, ip ? { headers: { 'x-forwarded-for': ip } } : {})

it('leads to the tracking page, however number and phone are typed', async () => {
  const { id, phone, path } = await order()
  for (const [number, typed] of [
    [String(id), phone],
    [` #${id} `, `+88${phone}`],
    [bengali(String(id)), bengali(phone)],
  ])
    expect((await find(number, typed)).body).toEqual({ tracking_url: path })
  const page = await shop.get(path, { accept: 'text/html' })
  expect([page.status, page.text.includes('Rahima'), page.text.includes(phone)]).toEqual([200, false, false])
})

it('says of an order to collect that it is ready, and not on its way', async () => {
  const { id, path } = await order()
  const text = async () => (await shop.get(path, { accept: 'text/html' })).text
  await sql`update orders set status = 'on_delivery' where id = ${id}`.execute(db)
  expect([(await text()).includes('Out for delivery'), (await text()).includes('Ready for collection')]).toEqual([true, false])
  await sql`update orders set is_collection = true, area_id = null where id = ${id}`.execute(db)
  expect([(await text()).includes('Out for delivery'), (await text()).includes('Ready for collection')]).toEqual([false, true])
})

it('says the same of a wrong phone as of an order that is not there', async () => {
  const { id } = await order()
  const wrong = await find(String(id), '01799999999')
  const none = await find('99999999', '01799999999')
  expect([wrong.status, wrong.body]).toEqual([none.status, none.body])
  expect(wrong.status).toBe(404)
})

it.each([
  ['nothing', '', '', ['order', 'phone']],
  ['words', 'ten', 'me', ['order', 'phone']],
  ['a landline', '1', '029112233', ['phone']],
  ['a long number', '1'.repeat(16), '01711111111', ['order']],
  ['a script', "1' or 1=1", '01711111111', ['order']],
])('%s: 422 at the field', async (_what, number, phone, fields) => {
  const { status, body } = await find(number, phone)
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, fields])
})

describe('guessing', () => {
  it('ends after ten wrong phones from one network; right answers are not counted', async () => {
    const { id, phone } = await order()
    for (let time = 0; time < 15; time++) expect((await find(String(id), phone)).status).toBe(200)
    const guesses = await Promise.all(Array.from({ length: 14 }, (_, index) => find(String(id), `017000000${10 + index}`)))
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(404), ...Array(4).fill(429)])
    const late = await find(String(id), phone)
    expect([late.status, Number(late.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await find(String((await order()).id), phone)).status).toBe(404)
  })

  it('ends for an order after a hundred from many networks', async () => {
    const behind = await openLimitedBehindProxy(url)
    const { id } = await order()
    const guesses = await Promise.all(
      Array.from({ length: 110 }, (_, index) =>
        behind.post(
          '/track',
          { order: String(id), phone: `01700000${100 + index}` },
          { headers: { 'x-forwarded-for': `20.${index}.0.1` } },
        ),
      ),
    )
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(10)
    await behind.close()
  })

  it.each([
    ['address, hour after hour', () => '20.1.0.1'],
    ['/48 of IPv6, from a new /64 each time', (index: number) => `2001:db8:7:${index}::1`],
  ])('of one %s closes no order for its customer', async (_what, from) => {
    const behind = await openLimitedBehindProxy(url)
    const { id, phone } = await order()
    const send = (typed: string, ip: string) =>
      behind.post('/track', { order: String(id), phone: typed }, { headers: { 'x-forwarded-for': ip } })
    for (let index = 0; index < 110; index += 1) {
      if (index % 10 === 0) behind.clock.now = new Date(Date.UTC(2026, 10, 20, index / 10))
      await send(`01700000${100 + index}`, from(index))
    }
    expect((await send(phone, '20.9.0.1')).status).toBe(200)
    await behind.close()
  })
})

it('works as a form without script: on to the page, or the form again with what was typed', async () => {
  const { id, phone, path } = await order()
  const visitor = shop.visitor()
  await visitor.get('/track', { accept: 'text/html' })
  const send = (number: string, typed: string) => visitor.postForm('/track', { order: number, phone: typed })
  const found = await send(String(id), phone)
  expect([found.status, found.headers.location]).toEqual([303, path])
  const wrong = await send(String(id), '01799999999')
  expect([wrong.status, wrong.text.includes('01799999999'), wrong.text.includes('We found no order')]).toEqual([404, true, true])
  const empty = await send('', '')
  expect([empty.status, empty.text.includes('Enter the order number.')]).toEqual([422, true])
})

it('needs the token of the page', async () => {
  const answer = await fetch(`${shop.deps.env.publicUrl}/track`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ order: '1', phone: '01711111111' }),
  })
  expect(answer.status).toBe(403)
})
