import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// The disk is full. The database reports it at the end of the transaction, after the order was written.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80, cattle: 1500 })
const manager = await signedIn(shop, 'manager')
const [fruit, cow] = [await buildProduct(db, { stock_milli: 50_000 }), await buildAnimal(db, { sold_by_live_weight: false })]
const before = await countStock(db)
beforeAll(async () => {
  await sql`create function no_room() returns trigger language plpgsql as $$
    begin raise exception using errcode = '53100', message = 'could not extend file'; end $$`.execute(db)
  for (const table of ['order_events', 'audit_log'])
    await sql`create trigger no_room before insert on ${sql.table(table)} for each row execute function no_room()`.execute(db)
})

const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const STAFF = /^The server’s disk is full\. Nothing was saved/

it.each([
  ['a shopper', () => shop.post('/customer-orders', orderBody(area.id, [[fruit.id, 2]], cash)), /^Temporarily unavailable/],
  ['a clerk', () => manager.post('/admin/orders/store', storeBody(area.id, [[fruit.id, 2]])), STAFF],
  [
    'the scale',
    () =>
      manager.post(`/admin/animals/${cow.id}/weigh-ins`, {
        weight_kg: 230,
        weighed_on: '2026-11-19',
        method: 'scale',
        weighed_by: 'Karim',
        confirmed: true,
      }),
    STAFF,
  ],
])('%s is told in words, with 503, and nothing is left of it', async (_who, act, text) => {
  shop.failures.length = 0
  const answer = await act()
  expect([answer.status, answer.body.message, answer.headers['retry-after']]).toEqual([503, expect.stringMatching(text), '60'])
  expect(shop.failures).toEqual([expect.stringContaining('the disk is full')])
  const { rows } = await sql<{ n: number }>`select ((select count(*) from orders) + (select count(*) from weigh_ins))::int as n`.execute(db)
  expect(rows[0]!.n).toBe(0)
  await expectInvariants(db, before)
})
