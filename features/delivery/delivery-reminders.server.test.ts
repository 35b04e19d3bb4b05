import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_INVARIANTS } from '#db/invariants/ledger-invariants.ts'
import { DEFAULT_SETTINGS, type Settings } from '#features/settings/settings.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from '../orders/testing/admin-shop.ts'
import { countNotYetReminded, sendDeliveryReminders } from './delivery-reminders.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { produce: 80, cattle: 1500 })
const mango = await buildProduct(db)
const sales = await signedIn(shop, 'sales')

const TODAY = '2026-04-10'
const TOMORROW = '2026-04-11'
const evening = dhakaInstant(TODAY, '18:00')

beforeEach(() => sql`truncate orders, sms_outbox, audit_log, settings cascade`.execute(db))

async function order(on: string, changes: Record<string, unknown> = {}, productId = mango.id): Promise<number> {
  const payment = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[productId, 1]], payment))
  if (!body.order_id) throw new Error(text)
  await db
    .updateTable('orders')
    .set({ list_on: on, ...changes })
    .where('id', '=', body.order_id)
    .execute()
  await sql`delete from sms_outbox`.execute(db)
  return body.order_id
}

/** Runs the job at a time. */
const remind = (now = evening, settings: Partial<Settings> = {}) =>
  sendDeliveryReminders({
    db,
    now: () => now,
    env: { publicUrl: 'https://khamar.example' },
    shopCache: { settings: async () => ({ ...DEFAULT_SETTINGS, ...settings }) },
  })
const sent = async () =>
  (
    await sql<{
      order_id: number
      template: string
      body: string
    }>`select order_id, template, body from sms_outbox order by order_id`.execute(db)
  ).rows

describe('the scheduled job', () => {
  it('reminds of orders of tomorrow, once, in Bengali', async () => {
    const id = await order(TOMORROW)
    await order(TODAY)
    await order('2026-04-12')
    expect(await countNotYetReminded(db, evening, 10)).toBe(1)
    expect([await remind(), await remind()]).toEqual([1, 0])
    expect(await sent()).toEqual([
      { order_id: id, template: 'delivery-2026-04-11', body: expect.stringMatching(/^খামার: অর্ডার \d+ কাল পৌঁছাবে। বাকি ৳/) },
    ])
    expect(await countNotYetReminded(db, evening, 10)).toBe(0)
  })

  it.each([
    ['at midnight, when tomorrow would be another day', { from: 0, to: 8 }, 330],
    ['when quiet hours begin', { from: 22, to: 8 }, 210],
    ['at midnight without quiet hours', { from: 3, to: 3 }, 330],
  ])('queues a text that ends %s', async (_name, quiet_hours, minutes) => {
    await order(TOMORROW)
    await remind(dhakaInstant(TODAY, '18:30'), { quiet_hours })
    const { rows } = await sql`select extract(epoch from expires_at - created_at)::int / 60 as minutes from sms_outbox`.execute(db)
    expect(rows).toEqual([{ minutes }])
  })

  it('sends once for concurrent processes', async () => {
    for (let count = 0; count < 12; count += 1) await order(TOMORROW)
    await Promise.all(Array.from({ length: 5 }, () => remind()))
    await remind()
    expect(await sent()).toHaveLength(12)
  })

  it.each([
    ['waits for its payment', { expires_at: evening }],
    ['is cancelled', { status: 'cancelled', reason: 'x' }],
    ['is delivered', { status: 'delivered' }],
  ])('leaves out an order that %s', async (_name, changes) => {
    await order(TOMORROW, changes)
    expect(await remind()).toBe(0)
  })

  it('the later delivery date of an animal wins over the list day', async () => {
    const cow = await buildAnimal(db, { delivery_on: addDays(TOMORROW, 20), category_id: mango.category_id })
    const id = await order(TOMORROW, {}, cow.id)
    expect(await remind()).toBe(0)
    expect(await remind(dhakaInstant(addDays(TODAY, 20), '18:00'))).toBe(1)
    expect(await sent()).toMatchObject([{ order_id: id, template: 'delivery-2026-05-01' }])
  })

  it('reminds of a product with a later date the day before that date, not before the list day', async () => {
    const litchi = await buildProduct(db, { delivery_on: addDays(TOMORROW, 9) })
    const id = await order(TOMORROW, {}, litchi.id)
    expect(await remind()).toBe(0)
    expect(await remind(dhakaInstant(addDays(TODAY, 9), '18:00'))).toBe(1)
    expect(await sent()).toMatchObject([{ order_id: id, template: 'delivery-2026-04-20' }])
  })

  it.each([addDays(TODAY, -1), TOMORROW])('a product with an earlier date changes nothing (%s)', async (day) => {
    const litchi = await buildProduct(db, { delivery_on: day })
    const id = await order(TOMORROW, {}, litchi.id)
    expect(await remind()).toBe(1)
    expect(await sent()).toMatchObject([{ order_id: id }])
  })

  it('reminds again for a new date, but not for another phone', async () => {
    const id = await order(TOMORROW)
    await remind()
    await sql`update orders set phone = '01999999999' where id = ${id}`.execute(db)
    expect(await remind()).toBe(0)
    await sql`update orders set list_on = ${addDays(TOMORROW, 3)} where id = ${id}`.execute(db)
    expect(await remind(dhakaInstant(addDays(TODAY, 3), '18:00'))).toBe(1)
  })

  it.each([
    ['before its hour', '16:59', {}],
    ['in quiet hours', '22:00', {}],
    ['switched off', '18:00', { delivery_sms: { automatic: false, hour: 17 } }],
    ['in quiet hours of the owner', '18:30', { quiet_hours: { from: 18, to: 9 } }],
  ])('waits: %s', async (_name, time, settings) => {
    await order(TOMORROW)
    expect(await remind(dhakaInstant(TODAY, time), settings)).toBe(0)
    expect(await sent()).toEqual([])
  })
})

describe('the button of the staff', () => {
  const press = (body: object = {}) => sales.post('/admin/orders/remind-tomorrow', body)
  const awake = async () => {
    await sql`insert into settings (key, value) values ('quiet_hours', '{"from":0,"to":0}')`.execute(db)
    shop.deps.catalogRevision.advance()
  }
  const tomorrow = () => addDays(new Date(shop.deps.now().getTime() + 6 * 3_600_000).toISOString().slice(0, 10), 1)

  it('reminds the selected orders of tomorrow, returns how many were reminded before, and writes an audit entry', async () => {
    await awake()
    const [first, second, later] = [await order(tomorrow()), await order(tomorrow()), await order('2030-01-01')]
    expect((await press({ orders: [first] })).body).toMatchObject({ sent: 1, already: 0 })
    expect((await press({ orders: [first, second, later] })).body).toMatchObject({ sent: 1, already: 1 })
    expect((await sent()).map(({ order_id }) => order_id)).toEqual([first, second])
    const { rows } = await sql`select actor_id, action, after from audit_log order by id`.execute(db)
    expect(rows).toEqual([first, second].map((id) => ({ actor_id: sales.id, action: 'sent', after: { orders: [id] } })))
    const { 'event of staff without an audit entry': rule } = LEDGER_INVARIANTS
    expect((await rule!.execute(db)).rows).toEqual([])
  })

  it('reminds all orders, once, for concurrent requests', async () => {
    await awake()
    for (let count = 0; count < 3; count += 1) await order(tomorrow())
    const responses = await Promise.all(Array.from({ length: 6 }, () => press()))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    await press()
    expect(await sent()).toHaveLength(3)
  })

  it('is rejected in quiet hours, without permission or token, and for invalid ids', async () => {
    const hour = (shop.deps.now().getUTCHours() + 6) % 24
    await sql`insert into settings (key, value) values ('quiet_hours', ${JSON.stringify({ from: hour, to: (hour + 2) % 24 })}::jsonb)`.execute(
      db,
    )
    shop.deps.catalogRevision.advance()
    await order(tomorrow())
    expect((await press()).status).toBe(409)
    expect((await (await signedIn(shop, 'viewer')).post('/admin/orders/remind-tomorrow', {})).status).toBe(403)
    expect((await sales.post('/admin/orders/remind-tomorrow', {}, { token: null })).status).toBe(403)
    for (const orders of [[], ['1'], [0], [1.5], 'all', Array.from({ length: 101 }, (_, index) => index + 1)])
      expect((await press({ orders })).status).toBe(422)
    expect(await sent()).toEqual([])
  })
})

it('an animal that waits for its advance is not reminded of', async () => {
  const cow = await buildAnimal(db)
  const payment = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 11_500, partial_payment: 11_500 }
  const { body } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[cow.id, 1]], payment))
  await sql`update orders set list_on = ${TOMORROW} where id = ${body.order_id}`.execute(db)
  await sql`delete from sms_outbox`.execute(db)
  expect(await remind()).toBe(0)
})
