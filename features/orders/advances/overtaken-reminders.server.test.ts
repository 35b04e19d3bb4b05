import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { signedIn, storeBody } from '../testing/admin-shop.ts'

// A reminder of an advance that waited while its customer paid, or while its order ended, is not sent. Nor is one of a delivery that has
// another day by then.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const manager = await signedIn(shop, 'manager')
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(() => sql`delete from sms_outbox`.execute(db))

async function booking(): Promise<number> {
  const cow = await buildAnimal(db)
  const { body, text } = await manager.post('/admin/orders/store', storeBody(area.id, [[cow.id, 1]]))
  if (!body.order_id) throw new Error(text)
  await sql`update orders set payable_poisha = 1150000, payment_type = 'partial', expires_at = now() + interval '1 hour', list_on = ${DAY} where id = ${body.order_id}`.execute(
    db,
  )
  await sql`delete from sms_outbox`.execute(db)
  return body.order_id
}

const DAY = '2027-03-01'
const EVENTS = ['advance-reminder', 'advance-missing-2026-11-20', `delivery-${DAY}`, `delivery-moved-7-${DAY}`, 'order-note']
async function queue(id: number): Promise<void> {
  for (const event of EVENTS)
    await sql`insert into sms_outbox (purpose, order_id, template, phone, body, expires_at)
      values ('order', ${id}, ${event}, '01712345678', ${event}, now() + interval '1 hour')`.execute(db)
}

/** The events of the messages that the sender would send. */
async function sent(): Promise<string[]> {
  const bodies: string[] = []
  for (;;) {
    const { rows } = await sql<{ body: string; skipped: boolean }>`select body, skipped from claim_next_sms(1000, 1000)`.execute(db)
    if (!rows[0]) return bodies
    if (!rows[0].skipped) bodies.push(rows[0].body)
  }
}
const [, missing, delivery, moved, note] = EVENTS

const report = (id: number) =>
  sql`insert into advance_reports (order_id, method, transaction_id, amount_poisha) values (${id}, 'bkash', ${`OVER${id}`}, 1150000)`.execute(
    db,
  )
const review = (id: number) =>
  sql`insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, state) values (${id}, 'sslcommerz', ${`over-${id}`}, 1150000, 'review')`.execute(
    db,
  )
const pay = (amount: number) => (id: number) =>
  manager.post(`/admin/orders/payments/${id}`, { method: 'cash', amount, version: 1, notify: false })
const moveTo = (listOn: string, deliveries: number) => (id: number) =>
  sql`update orders set list_on = ${listOn}, deliveries = ${deliveries} where id = ${id}`.execute(db)
/** A second product comes on a later day, in a delivery of its own. */
const split = async (id: number) => {
  const later = await buildAnimal(db)
  await sql`insert into order_lines (order_id, product_id, position, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha, delivery_on)
    select order_id, ${later.id}, 2, 'Cow', 'গরু', unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha, ${DAY}::date + 5
    from order_lines where order_id = ${id}`.execute(db)
  await moveTo(DAY, 2)(id)
}
const deliver = (id: number) => sql`update orders set status = 'delivered', expires_at = null where id = ${id}`.execute(db)
const change = (status: string) => (id: number) =>
  manager.post('/admin/orders/status', { orders: [{ id, version: 1 }], status, reason: 'Ill' })

it.each<[string, (id: number) => Promise<unknown>, (string | undefined)[]]>([
  ['nothing has happened', async () => null, EVENTS],
  ['a part has come, which ends the deadline', pay(5000), [missing, delivery, moved, note]],
  ['the advance has come', pay(11_500), [delivery, moved, note]],
  ['the transfer was reported', report, [delivery, moved, note]],
  ['a payment is in review', review, [delivery, moved, note]],
  ['the order was cancelled', change('cancelled'), [note]],
  ['the staff have taken the order up', change('processing'), [missing, delivery, moved, note]],
  ['the order is delivered', deliver, [missing, note]],
  ['the order comes on another day', moveTo('2027-03-02', 1), ['advance-reminder', missing, note]],
  ['the day is the first of two', split, ['advance-reminder', missing, delivery, moved, note]],
])('what is sent when %s', async (_what, happens, expected) => {
  const id = await booking()
  await queue(id)
  await happens(id)
  await sql`delete from sms_outbox where template <> all(${EVENTS})`.execute(db)
  expect(await sent()).toEqual(expected)
  const { rows } = await sql<{ failure: string }>`select distinct failure from sms_outbox where state = 'skipped'`.execute(db)
  expect(rows.map(({ failure }) => failure)).toEqual(expected.length === EVENTS.length ? [] : ['overtaken'])
})

it('is sent again after the report was rejected', async () => {
  const id = await booking()
  await report(id)
  await sql`update advance_reports set state = 'refused' where order_id = ${id}`.execute(db)
  await queue(id)
  expect(await sent()).toEqual(EVENTS)
})
