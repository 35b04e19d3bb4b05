import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { formatTaka, taka } from '#lib/format/money.ts'
import { countHeldWithoutExpiry, type HeldOrder } from './held-animals.server.ts'
import { storeBody } from '../testing/admin-shop.ts'

// The list of animals held by unpaid orders, and their release.

const { db, url } = await testDb()
const payment_numbers = { ...DEFAULT_SETTINGS.payment_numbers, bkash: '01711000009' }
await db
  .insertInto('settings')
  .values({ key: 'payment_numbers', value: JSON.stringify(payment_numbers) })
  .execute()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const html = { accept: 'text/html' }
async function staff(role: 'sales' | 'viewer' | 'cashier' | 'manager') {
  const visitor = shop.visitor()
  await visitor.signIn((await buildUser(db, { role })).phone)
  await visitor.token()
  return visitor
}
const [sales, viewer, manager] = [await staff('sales'), await staff('viewer'), await staff('manager')]
let before = new Map<number, number>()
beforeEach(async () => {
  await sql`update orders set status = 'on_delivery', expires_at = null where status in ('placed', 'processing')`.execute(db)
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const byHand = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000, partial_payment: 10_000 }
async function book(payment: Record<string, unknown> = byHand) {
  const cow = await buildAnimal(db)
  before.set(cow.id, 1000)
  const by = shop.visitor()
  const answer = await by.post('/customer-orders', orderBody(area.id, [[cow.id, 1]], payment))
  expect(answer.status).toBe(200)
  return { id: answer.body.order_id!, cow: cow.id, tag: cow.tag_number, by }
}
const list = async (by = sales) => (pageProps((await by.get('/admin/held-animals', html)).text) as { orders: HeldOrder[] }).orders
const release = (by: typeof sales, { id, version }: Pick<HeldOrder, 'id' | 'version'>) =>
  by.post('/admin/orders/status', { orders: [{ id, version }], status: 'cancelled', reason: 'Hold released by the shop' })

it('lists unpaid orders with animals, times and cause; no paid or confirmed orders, none without animals', async () => {
  const [waits, online, reported] = [await book(), await book({ payment_type: 'full', payment_gateway: 'pgw' }), await book()]
  await reported.by.post(`/orders/${reported.id}/advance`, { method: 'bkash', transaction_id: 'HELD123456', sender: '017', amount: 10_000 })
  const [paid, taken] = [await book(), await book()]
  await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values (${paid.id}, 'advance', 'bkash', 1000000, 'PAID1')`.execute(
    db,
  )
  await sql`update orders set status = 'on_delivery', expires_at = null where id = ${taken.id}`.execute(db)
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  await shop.post('/customer-orders', orderBody(area.id, [[(await buildProduct(db)).id, 1]], cash))
  expect(await list()).toMatchObject([
    {
      id: waits.id,
      tags: [waits.tag],
      phone_verified: false,
      waits_for: 'advance',
      since: '2026-11-20T06:00:00.000Z',
      until: '2026-11-20T06:30:00.000Z',
    },
    { id: online.id, waits_for: 'payment', until: '2026-11-20T06:30:00.000Z' },
    { id: reported.id, waits_for: 'verification', until: '2026-11-21T06:00:00.000Z' },
  ])
})

it('a release cancels the order, frees the animal, sends an SMS and is audited', async () => {
  const { id, cow } = await book()
  const [row] = await list()
  expect((await release(sales, row!)).body).toMatchObject({ results: [{ id, ok: true, status: 'cancelled' }] })
  const { rows } = await sql<object>`select o.status, o.reason, p.status as cow,
    (select count(*)::int from sms_outbox where order_id = o.id and template like 'order-cancelled-%') as sms,
    (select actor || ' ' || to_status from order_events where order_id = o.id order by id desc limit 1) as event,
    (select count(*)::int from audit_log where subject = 'order' and subject_id = o.id::text) as log
    from orders o, products p where o.id = ${id} and p.id = ${cow}`.execute(db)
  expect(rows[0]).toEqual({
    status: 'cancelled',
    reason: 'Hold released by the shop',
    cow: 'in-stock',
    sms: 1,
    event: 'staff cancelled',
    log: 1,
  })
  expect(await list()).toEqual([])
  expect((await shop.post('/customer-orders', orderBody(area.id, [[cow, 1]], byHand))).status).toBe(200)
})

it('two concurrent requests release once; a stale version is rejected', async () => {
  await book()
  const [row] = await list()
  const answers = await Promise.all([release(sales, row!), release(manager, row!)])
  const results = answers.flatMap(({ body }) => (body as { results: { ok: boolean }[] }).results)
  expect(results.map(({ ok }) => ok).toSorted()).toEqual([false, true])
  const later = await book()
  const [next] = await list()
  await sql`update orders set version = version + 1 where id = ${later.id}`.execute(db)
  expect((await release(sales, next!)).body).toMatchObject({ results: [{ ok: false }] })
})

it('an advance that is reported after the list was read stops the release', async () => {
  const { id, cow, by } = await book()
  const [row] = await list()
  const report = { method: 'bkash', transaction_id: `LATE${id}00`, sender: '017', amount: 10_000 }
  for (const _twice of [1, 2]) expect((await by.post(`/orders/${id}/advance`, report)).status).toBe(200)
  expect((await release(sales, row!)).body).toMatchObject({ results: [{ ok: false }] })
  expect(await list()).toMatchObject([{ id, version: row!.version + 1, waits_for: 'verification' }])
  const { rows } = await sql`select status from products where id = ${cow}`.execute(db)
  expect(rows).toEqual([{ status: 'hold' }])
})

it('the list needs orders.read, the release orders.write', async () => {
  await book()
  const [row] = await list(viewer)
  expect((await release(viewer, row!)).status).toBe(403)
  expect((await (await staff('cashier')).get('/admin/held-animals', html)).status).toBe(403)
  const stranger = await shop.get('/admin/held-animals', html)
  expect([stranger.status, stranger.headers.location]).toEqual([303, expect.stringContaining('/login')])
  expect(await list()).toHaveLength(1)
})

/** A booking by phone: it does not expire. */
async function bookByStaff(advance = 10_000, status = 'placed', more: { phone?: string } = {}) {
  const cow = await buildAnimal(db, { advance_minimum_poisha: advance * 100 })
  before.set(cow.id, 1000)
  const answer = await manager.post('/admin/orders/store', storeBody(area.id, [[cow.id, 1]], { status, ...more }))
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}
const remind = (by: typeof sales, id: number) => by.post(`/admin/orders/remind/${id}`)
const reminders = async (id: number) =>
  (
    await sql<{
      body: string
    }>`select body from sms_outbox where order_id = ${id} and template like 'advance-missing-%' order by id`.execute(db)
  ).rows
const pay = async (id: number, amount: number, version: number) =>
  (await manager.post(`/admin/orders/payments/${id}`, { method: 'cash', amount, version, notify: false })).status
const tile = async () =>
  pageProps<{ tasks: { key: string; count: number }[] }>((await manager.get('/admin', html)).text).tasks.find(
    ({ key }) => key === 'unpaid',
  )!.count

it('lists bookings by staff until the advance is paid, confirmed and partly paid ones included', async () => {
  const count = await tile()
  const [placed, confirmed] = [await bookByStaff(), await bookByStaff(10_000, 'processing')]
  expect(await list()).toMatchObject([
    { id: placed, waits_for: 'advance', source: 'admin', advance: 10_000, paid: 0, until: null },
    { id: confirmed, waits_for: 'advance' },
  ])
  expect(await tile()).toBe(count + 2)
  expect(await pay(placed, 4000, 1)).toBe(200)
  expect(await list()).toMatchObject([{ id: placed, paid: 4000 }, { id: confirmed }])
  expect(await pay(placed, 6000, 2)).toBe(200)
  expect((await list()).map(({ id }) => id)).toEqual([confirmed])
  expect(await tile()).toBe(count + 1)
})

it('lists an order again whose advance was paid back: its animal stays sold', async () => {
  const count = await countHeldWithoutExpiry(db)
  const id = await bookByStaff()
  expect(await pay(id, 10_000, 1)).toBe(200)
  expect(await list()).toEqual([])
  const refund = { method: 'cash', amount: 4000, version: 2 }
  expect((await manager.post(`/admin/orders/refunds/${id}`, refund)).status).toBe(200)
  expect(await list()).toMatchObject([{ id, waits_for: 'advance', paid: 6000, until: null, tags: [expect.any(String)] }])
  expect(await countHeldWithoutExpiry(db)).toBe(count + 1)
  await sql`update orders set payment_gateway = 'sslcommerz', status = 'processing' where id = ${id}`.execute(db)
  expect(await list()).toMatchObject([{ id, waits_for: 'payment', paid: 6000 }])
})

it('a reminder of the missing advance is sent once a day', async () => {
  const id = await bookByStaff()
  await pay(id, 4000, 1)
  const answers = await Promise.all(Array.from({ length: 4 }, () => remind(sales, id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  expect(await reminders(id)).toEqual([{ body: expect.stringContaining(`অর্ডার ${id}-এর বুকিং রাখতে ৳৬,০০০ পাঠান`) }])
  const today = shop.clock.now
  shop.clock.now = new Date(today.getTime() + 86_400_000)
  expect((await remind(await staff('sales'), id)).status).toBe(200)
  shop.clock.now = today
  expect(await reminders(id)).toHaveLength(2)
})

it('a reminder is rejected without permission or token, for a paid order and for a missing one', async () => {
  const id = await bookByStaff()
  expect((await remind(viewer, id)).status).toBe(403)
  expect((await sales.post(`/admin/orders/remind/${id}`, undefined, { token: null })).status).toBe(403)
  for (const path of ['999999', '0', 'x', '-1', '9'.repeat(400)])
    expect([404, 414, 422]).toContain((await sales.post(`/admin/orders/remind/${path}`)).status)
  await pay(id, 10_000, 1)
  expect((await remind(sales, id)).status).toBe(409)
  expect(await reminders(id)).toEqual([])
})

it('nobody is asked for an advance while a report or a payment in review waits to be checked', async () => {
  const id = await bookByStaff()
  await sql`insert into advance_reports (order_id, method, transaction_id, amount_poisha) values (${id}, 'bkash', 'REMIND01', 1000000)`.execute(
    db,
  )
  expect(await remind(sales, id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('waits to be checked') } })
  await sql`update advance_reports set state = 'refused' where order_id = ${id}`.execute(db)
  const attempt = (state: string) =>
    sql`insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, state)
    values (${id}, 'sslcommerz', ${`remind-${id}-${state}`}, 1000000, ${state})`.execute(db)
  await attempt('review')
  await attempt('failed')
  expect(await list()).toMatchObject([{ id, waits_for: 'review' }])
  expect((await remind(sales, id)).status).toBe(409)
  expect(await reminders(id)).toEqual([])
  await sql`update payment_attempts set state = 'refused' where order_id = ${id}`.execute(db)
  expect((await remind(sales, id)).status).toBe(200)
})

it('the link of a booking by staff shows how to send the advance, and takes the report', async () => {
  const id = await bookByStaff(15_000)
  await remind(sales, id)
  const customer = shop.visitor()
  const link = /\/invoice\/\d+\?key=[\w-]+/.exec((await reminders(id))[0]!.body)![0]
  const page = async () => (await customer.get(link, html)).text
  expect(await page()).toContain('Send ৳15,000 to keep the booking')
  const key = link.split('key=')[1]
  const report = { method: 'bkash', transaction_id: `STAFF${id}00`, sender: '017', key }
  expect((await customer.post(`/orders/${id}/advance`, report)).body).toMatchObject({ advance: { amount: 15_000, state: 'waiting' } })
  const { rows } = await sql<{ version: number }>`select version from orders where id = ${id}`.execute(db)
  expect(await pay(id, 15_000, rows[0]!.version)).toBe(200)
  expect(await page()).not.toContain('to keep the booking')
})

it('account, order page and SMS of a booking by staff ask for the advance, and for its rest after a part', async () => {
  const { phone } = await buildUser(db, { phone_verified_at: new Date() })
  const customer = shop.visitor()
  await customer.signIn(phone)
  const id = await bookByStaff(15_000, 'placed', { phone })
  const { rows } = await sql<{ total: number }>`select total_poisha::float8 / 100 as total from orders where id = ${id}`.execute(db)
  const later = formatTaka(taka(rows[0]!.total - 15_000), 'en')
  const dues = async (path: string) => (await customer.get(path, html)).text.match(/Send the advance of ৳[\d,]+|৳[\d,]+ due on delivery/g)
  const report = async (transaction_id: string, amount: number) => {
    await customer.post(`/orders/${id}/advance`, { method: 'bkash', transaction_id, sender: '017', amount })
    expect(await dues('/account')).toEqual([`${later} due on delivery`])
    const { rows } = await sql<{ id: number }>`select id from advance_reports where order_id = ${id} and state = 'waiting'`.execute(db)
    expect((await manager.post(`/admin/advances/verify/${rows[0]!.id}`, {})).status).toBe(200)
    const sent = await sql<{ body: string }>`select body from sms_outbox where order_id = ${id} order by id desc limit 1`.execute(db)
    return sent.rows[0]!.body
  }

  expect(await dues('/account')).toEqual(['Send the advance of ৳15,000', `${later} due on delivery`])
  expect(await report(`PART${id}00`, 5000)).toMatch(/টাকা পেয়েছি/)
  expect(await dues('/account')).toEqual(['Send the advance of ৳10,000', `${later} due on delivery`])
  expect(await dues(`/invoice/${id}`)).toEqual([`${later} due on delivery`, `${later} due on delivery`])
  expect(await report(`REST${id}00`, 10_000)).toMatch(/আপনার পশু বুক করা হয়েছে/)
  expect(await dues('/account')).toEqual([`${later} due on delivery`])
})
