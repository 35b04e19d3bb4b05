import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { timeline } from '#features/orders/printing/timeline-rules.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { DEFAULT_SETTINGS, type Settings } from '#features/settings/settings.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from '../orders/testing/admin-shop.ts'
import { sendDeliveryReminders } from './delivery-reminders.server.ts'
import { announceMovedDeliveries } from './moved-deliveries.server.ts'

// The SMS about the new day of an order whose customer was told another one.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
const sales = await signedIn(shop, 'sales')

const TODAY = '2026-04-10'
const TOMORROW = '2026-04-11'
const LATER = '2026-04-15'
const evening = dhakaInstant(TODAY, '18:00')

beforeEach(() => sql`truncate orders, sms_outbox, audit_log, settings cascade`.execute(db))

async function order(on: string, productId = mango.id): Promise<number> {
  const payment = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[productId, 1]], payment))
  if (!body.order_id) throw new Error(text)
  await db.updateTable('orders').set({ list_on: on }).where('id', '=', body.order_id).execute()
  await sql`delete from sms_outbox`.execute(db)
  return body.order_id
}

/** Runs both parts of the job, and returns the number of SMS about moved orders. */
async function run(now = evening, settings: Partial<Settings> = {}): Promise<number> {
  const deps = {
    db,
    now: () => now,
    env: { publicUrl: 'https://khamar.example' },
    shopCache: { settings: async () => ({ ...DEFAULT_SETTINGS, ...settings }) },
  }
  await sendDeliveryReminders(deps)
  return announceMovedDeliveries(deps)
}
const send = () => sql`update sms_outbox set state = 'submitted' where state = 'queued'`.execute(db)
const move = (id: number, day: string) => sql`update orders set list_on = ${day} where id = ${id}`.execute(db)
const moved = async () =>
  (await sql<{ body: string }>`select body from sms_outbox where template like 'delivery-moved-%' order by id`.execute(db)).rows.map(
    ({ body }) => body,
  )

it('an order that an SMS announced and staff then moved gets one SMS with its new day', async () => {
  const [id] = [await order(TOMORROW), await order(TOMORROW)]
  expect(await run()).toBe(0)
  await send()
  await move(id, LATER)
  expect([await run(), await run()]).toEqual([1, 0])
  expect(await moved()).toEqual([expect.stringMatching(new RegExp(`অর্ডার ${id}-এর তারিখ বদলেছে, নতুন তারিখ: ১৫ এপ্রিল`))])
})

it('each move is told, also the way back', async () => {
  const id = await order(TOMORROW)
  await run()
  await send()
  for (const day of [LATER, TOMORROW, LATER]) {
    await move(id, day)
    expect(await run(), day).toBe(1)
    await send()
  }
  expect((await moved()).map((body) => /তারিখ: (\S+)/.exec(body)?.[1])).toEqual(['১৫', '১১', '১৫'])
})

it('a move that is taken back before its SMS is sent is told when it is made again', async () => {
  const id = await order(TOMORROW)
  await run()
  await send()
  const told = []
  for (const day of [LATER, TOMORROW, LATER]) {
    await move(id, day)
    told.push(await run())
  }
  expect(told).toEqual([1, 0, 1])
  const { rows } = await sql`select state from sms_outbox where template like 'delivery-moved-%' order by id`.execute(db)
  expect(rows).toEqual([{ state: 'skipped' }, { state: 'queued' }])
  expect(await run()).toBe(0)
})

it('an SMS that was skipped as a repeat is not queued again', async () => {
  const id = await order(TOMORROW)
  await run()
  await send()
  await move(id, LATER)
  expect(await run()).toBe(1)
  await sql`update sms_outbox set state = 'skipped', failure = 'repeat' where state = 'queued'`.execute(db)
  expect(await run()).toBe(0)
})

it('a later date of a product moves the announced order', async () => {
  const id = await order(TOMORROW)
  await run()
  await send()
  await sql`update orders set goods_on = ${LATER} where id = ${id}`.execute(db)
  expect(await run()).toBe(1)
})

/** An order in two deliveries: mangoes on its list day, litchi later. */
async function orderTwoDeliveries(on: string, litchiOn: string): Promise<number> {
  const litchi = await buildProduct(db, { delivery_on: litchiOn })
  const id = await order(on)
  await sql`update orders set deliveries = 2 where id = ${id}`.execute(db)
  await sql`insert into order_lines (order_id, product_id, position, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha, delivery_on)
    select order_id, ${litchi.id}, 2, 'Litchi', 'লিচু', unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha, ${litchiOn}::date
    from order_lines where order_id = ${id}`.execute(db)
  return id
}

it('the first of two deliveries is told with both days', async () => {
  const id = await orderTwoDeliveries(TOMORROW, addDays(LATER, 5))
  await run()
  await send()
  expect(await run()).toBe(0)
  await move(id, LATER)
  expect(await run()).toBe(1)
  expect(await moved()).toEqual([expect.stringContaining('১৫ এপ্রিল ২০২৬ ও ২০ এপ্রিল ২০২৬')])
})

it('the second of two deliveries is told once, with its own day, after the day of the first', async () => {
  const id = await orderTwoDeliveries(addDays(TODAY, -3), TOMORROW)
  await run()
  await send()
  await sql`update order_lines set delivery_on = ${LATER} where order_id = ${id} and delivery_on is not null`.execute(db)
  await sql`update orders set goods_on = ${LATER} where id = ${id}`.execute(db)
  expect(await run()).toBe(1)
  const { rows } = await sql<{ skipped: boolean }>`select skipped from claim_next_sms(1000, 0)`.execute(db)
  expect(rows).toEqual([{ skipped: false }])
  expect(await run()).toBe(0)
  expect(await moved()).toEqual([expect.stringMatching(/নতুন তারিখ: ১৫ এপ্রিল/)])
})

it.each<[string, (id: number) => Promise<unknown>, Date, Partial<Settings>]>([
  ['it has ended', (id) => sql`update orders set status = 'cancelled', reason = 'x' where id = ${id}`.execute(db), evening, {}],
  ['it waits for its payment', (id) => sql`update orders set expires_at = now() where id = ${id}`.execute(db), evening, {}],
  ['it is night', async () => null, dhakaInstant(TODAY, '23:00'), {}],
  [
    'the reminder was not delivered',
    async () => sql`update sms_outbox set state = 'failed', failure = 'x' where state = 'submitted'`.execute(db),
    evening,
    {},
  ],
])('nothing is told while %s', async (_name, change, now, settings) => {
  const id = await order(TOMORROW)
  await run()
  await send()
  await move(id, LATER)
  await change(id)
  expect(await run(now, settings)).toBe(0)
})

it('a reminder that still waits is not sent, and needs no correction', async () => {
  const id = await order(TOMORROW)
  await run()
  await move(id, LATER)
  expect(await run()).toBe(0)
  const { rows } = await sql`select state, failure from sms_outbox`.execute(db)
  expect(rows).toEqual([{ state: 'skipped', failure: 'overtaken' }])
})

it('one that was not sent, because its order had left the day, is sent when the order is back', async () => {
  const id = await order(TOMORROW)
  await run()
  for (let back = 0; back < 2; back++) {
    await move(id, LATER)
    await run()
    await move(id, TOMORROW)
    expect([await run(), await run()]).toEqual([0, 0])
  }
  const { rows } = await sql`select template, state from sms_outbox where state <> 'skipped'`.execute(db)
  expect(rows).toEqual([{ template: `delivery-${TOMORROW}`, state: 'queued' }])
  await send()
  await move(id, LATER)
  expect([await run(), (await moved()).at(-1)]).toEqual([1, expect.stringContaining('১৫ এপ্রিল')])
})

it('one that still waits for a budget when the quiet hours begin waits for the morning', async () => {
  const id = await order(TOMORROW)
  await run()
  await send()
  await move(id, LATER)
  expect(await run()).toBe(1)
  await sql`update sms_outbox set not_before = ${evening} where state = 'queued'`.execute(db)
  expect(await run(dhakaInstant(TODAY, '22:01'))).toBe(0)
  const { rows } = await sql`select not_before from sms_outbox where state = 'queued'`.execute(db)
  expect(rows).toEqual([{ not_before: dhakaInstant(TOMORROW, '08:00') }])
})

it('a move to tomorrow is told by the reminder of the evening alone', async () => {
  const id = await order(TOMORROW)
  await run()
  await send()
  await move(id, addDays(TOMORROW, 1))
  expect(await run(dhakaInstant(TOMORROW, '18:00'))).toBe(0)
  const { rows } = await sql`select template from sms_outbox order by id`.execute(db)
  expect(rows.map((row) => (row as { template: string }).template)).toEqual([`delivery-${TOMORROW}`, `delivery-${addDays(TOMORROW, 1)}`])
})

it('both SMS stand in the timelines of staff and customer', async () => {
  const id = await order(TOMORROW)
  await run()
  await send()
  await move(id, LATER)
  await run()
  const props = async <Order>(path: string) => pageProps<{ order: Order }>((await sales.get(path, { accept: 'text/html' })).text).order
  const { events } = await props<AdminOrder>(`/admin/orders/update/${id}`)
  expect(events.filter(({ kind }) => kind.startsWith('delivery-')).map(({ kind, actor, detail }) => [kind, actor, detail.day])).toEqual([
    ['delivery-moved', 'system', LATER],
    ['delivery-announced', 'system', TOMORROW],
  ])
  const texts = timeline(await props<OrderJson>(`/invoice/${id}`)).map(({ text }) => text)
  expect(texts).toEqual(expect.arrayContaining(['order-event.delivery-announced', 'order-event.delivery-moved']))
})
