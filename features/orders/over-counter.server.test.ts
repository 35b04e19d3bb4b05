import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson } from '#features/customers/personal-data/read-personal-data.server.ts'
import { findOrderEmail } from '#features/email/order-email.server.ts'
import { queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { comesOn } from './delivery-dates.server.ts'
import { signedIn } from './testing/admin-shop.ts'

// A sale over the counter has a list day as every order has, but no delivery. SQL `is_over_counter` is the only definition.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

// Noon, so that the list day is tomorrow.
const today = dhakaDate(shop.clock.now)
const tomorrow = addDays(today, 1)
shop.clock.now = new Date(`${today}T12:00:00+06:00`)

const area = await buildArea(db, { produce: 80 })
const honey = await buildProduct(db, { unit: 'kg', price_poisha: 12_000 })
const cashier = await signedIn(shop, 'cashier')
const manager = await signedIn(shop, 'manager')
await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })

async function sell(more: object = {}, charge = 0): Promise<number> {
  const answer = await cashier.post('/admin/quick-orders/store', {
    products: [{ id: honey.id, quantity: '1', price: 120 }],
    transactions: { cash: 120 + charge },
    discount: 0,
    sub_total: 120,
    shipping_cost: charge,
    total: 120 + charge,
    customer: { phone: '01712345678', name: 'Rahima', email: 'rahima@mail.example' },
    ...more,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}

/** By how its products reach the customer. */
const ids = { counter: 0, delivery: 0, collection: 0 }
beforeAll(async () => {
  await sql`insert into settings (key, value) values ('delivery_days', ${JSON.stringify({ ...DEFAULT_SETTINGS.delivery_days, capacity: { cattle: 0, produce: 2 } })}::jsonb),
    ('collection', ${JSON.stringify({ is_offered: true, address: { en: 'The farm', bn: 'খামার' }, note: { en: '', bn: '' } })}::jsonb)`.execute(
    db,
  )
  ids.counter = await sell()
  ids.collection = await sell({ collection: {} })
  ids.delivery = await sell({ delivery: { area_id: area.id, address: 'House 4' } }, 80)
})

it('takes no place of a delivery day', async () => {
  const { rows } = await sql<{ taken: number }>`select count_deliveries_on(${tomorrow}::date, 'produce', 9) as taken`.execute(db)
  expect(rows).toEqual([{ taken: 1 }])
  const place = () =>
    shop
      .visitor()
      .post(
        '/customer-orders',
        orderBody(area.id, [[honey.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', delivery_on: tomorrow }),
      )
  expect((await place()).status).toBe(200)
  expect((await place()).status).toBe(422)
})

it('has no delivery date in the order list, its CSV and its filter', async () => {
  const { text } = await manager.get('/admin/orders/export', { accept: 'text/html', 'accept-language': 'en' })
  const rows = text
    .replace('\ufeff', '')
    .split('\r\n')
    .map((line) => line.split(','))
  const column = rows[0]!.indexOf('"Delivery date"')
  const dateOf = (id: number) => rows.find(([number]) => number === String(id))?.[column]
  expect([dateOf(ids.counter), dateOf(ids.delivery), dateOf(ids.collection)]).toEqual(['""', `"${tomorrow}"`, `"${tomorrow}"`])
  const { rows: coming } = await sql<{ id: number }>`
    select id from orders o where ${comesOn(tomorrow)} and source = 'pos' order by id`.execute(db)
  expect(coming.map(({ id }) => id)).toEqual([ids.collection, ids.delivery])
})

it('names no delivery date in an SMS about its payment', async () => {
  const textOf = async (orderId: number) => {
    const sms = { orderId, event: 'test', text: { en: '{day}', bn: '{day}' } }
    await queueOrderSms(db, { publicUrl: 'https://shop.example', phone: '', english: true }, sms)
    return (
      await db.selectFrom('sms_outbox').select('body').where('order_id', '=', orderId).where('template', '=', 'test').executeTakeFirst()
    )?.body
  }
  await sql`update orders set lang = 'en'`.execute(db)
  expect(await textOf(ids.counter)).toBe('at the counter')
  expect(await textOf(ids.collection)).toMatch(/^\d+ \w+ \(collection at the farm\)$/)
  expect(await textOf(ids.delivery)).toMatch(/^\d+ \w+$/)
  await sql`update orders set lang = 'bn' where id = ${ids.counter}`.execute(db)
  await sql`delete from sms_outbox`.execute(db)
  expect(await textOf(ids.counter)).toBe('কাউন্টারেই দেওয়া হয়েছে')
})

it('has neither delivery date nor address in the email of a payment', async () => {
  await sql`update orders set lang = 'en'`.execute(db)
  const textOf = async (order_id: number) => {
    const claimed = {
      id: 1,
      event_key: 'x',
      kind: 'payment-received',
      order_id,
      recipient: 'a@b.example',
      detail: {},
      attempts: 1,
      created_at: new Date(),
    } as const
    const email = await findOrderEmail(db, claimed, DEFAULT_SETTINGS, 'https://shop.example')
    return email === 'ended' ? email : email.text
  }
  expect(await textOf(ids.counter)).not.toMatch(/Delivery (date|address|charge)/)
  expect(await textOf(ids.delivery)).toMatch(/Delivery date: .*\d[\s\S]*Delivery address: House 4/)
})

it('has no delivery charge and nothing to track on its invoice; the code is for returns', async () => {
  const printOf = async (id: number) =>
    (await manager.get(`/admin/orders/invoice/${id}`, { accept: 'text/html', 'accept-language': 'en' })).text
  const [counter, delivery, collection] = [await printOf(ids.counter), await printOf(ids.delivery), await printOf(ids.collection)]
  expect(counter).not.toMatch(/Delivery charge|track your order/)
  expect(counter).toMatch(/invoiceQRCode[\s\S]*Show this code to return items/)
  for (const other of [delivery, collection]) expect(other).toMatch(/Delivery charge[\s\S]*track your order/)
})

it('has no delivery charge and no delivery address on its page in the admin', async () => {
  const pageOf = async (id: number) =>
    (await manager.get(`/admin/orders/update/${id}`, { accept: 'text/html', 'accept-language': 'en' })).text
  const sections = (text: string) => text.slice(text.indexOf('id="order-items"'), text.lastIndexOf('</main>'))
  expect(sections(await pageOf(ids.counter))).toContain('Handed over at the counter')
  expect(sections(await pageOf(ids.counter))).not.toMatch(/Delivery (address|charge)/)
  expect(sections(await pageOf(ids.delivery))).toMatch(/Delivery address/)
})

it('stays one when its customer is erased', async () => {
  const phone = '01799999999'
  const id = await sell({ customer: { phone, name: 'Karim', email: '' } })
  expect(await erasePerson(db, (await findPerson(db, phone))!, shop.clock.now)).toEqual({ ok: true, orders: 1 })
  const { rows } = await sql`select name, is_over_counter(o) from orders o where id = ${id}`.execute(db)
  expect(rows).toEqual([{ name: 'Erased', is_over_counter: true }])
})
