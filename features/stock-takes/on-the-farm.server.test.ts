import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { mayBePartlyDelivered as inSql } from '#features/orders/delivery-dates.server.ts'
import { mayBePartlyDelivered, ORDER_STATUSES, type OrderStatus } from '#features/orders/rules.ts'
import { signedIn, stockOf, storeBody } from '#features/orders/testing/admin-shop.ts'
import { takeBack } from '#features/orders/testing/delivered-order.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { testDb } from '#test/db.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { TakeRow } from './queries.server.ts'

// What has left the farm by the status of its order, and what has not.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
const area = await buildArea(db, { produce: 80, cattle: 1500 })
afterAll(() => expect(shop.failures).toEqual([]))

async function start() {
  const take = ((await manager.post('/admin/stock-takes', { category_id: '', note: '' })).body as { id: number }).id
  return {
    take,
    async count(product_id: number, quantity: string, version: number | null = null) {
      const answer = await manager.post(`/admin/stock-takes/${take}/count`, { product_id, quantity, reason: 'counted', version })
      return (answer.body as { row: TakeRow }).row.line
    },
  }
}

it('what is ready for collection is expected until it is collected', async () => {
  const [honey, cow] = [(await buildProduct(db, { unit: 'piece', stock_milli: 10_000 })).id, (await buildAnimal(db)).id]
  const lines: [number, number][] = [
    [honey, 4],
    [cow, 1],
  ]
  const placed = await manager.post('/admin/orders/store', storeBody(area.id, lines, { is_collection: true, status: 'on_delivery' }))
  expect(placed.status, placed.text).toBe(200)
  const { count } = await start()
  expect([await count(honey, '10'), await count(cow, '1')]).toMatchObject([{ expected_milli: 10_000 }, { expected_milli: 1000 }])
  await sql`update orders set status = 'delivered' where id = ${placed.body.order_id}`.execute(db)
  const later = await start()
  expect([await later.count(honey, '6'), await later.count(cow, '0')]).toMatchObject([{ expected_milli: 6000 }, { expected_milli: 0 }])
})

it('what came back from an order that is ready for collection is expected once', async () => {
  const [honey, jam] = [await buildProduct(db, { unit: 'piece', stock_milli: 10_000 }), await buildProduct(db, { stock_milli: 5000 })]
  const ordered: [number, number][] = [
    [honey.id, 4],
    [jam.id, 5],
  ]
  const placed = await manager.post('/admin/orders/store', storeBody(area.id, ordered, { is_collection: true, status: 'on_delivery' }))
  const back = await takeBack(manager, placed.body.order_id!, [
    { product_id: honey.id, quantity: '3' },
    { product_id: jam.id, quantity: '5', damaged: true },
  ])
  expect(back.status, back.text).toBe(200)
  expect(await stockOf(db, honey.id)).toMatchObject({ left: 9 })
  const { take, count } = await start()
  const open = await manager.get(`/admin/stock-takes/${take}?list=open`, { accept: 'text/html' })
  const listed = pageProps<{ rows: { rows: TakeRow[] } }>(open.text).rows.rows.map(({ id }) => id)
  expect([listed.includes(honey.id), listed.includes(jam.id)]).toEqual([true, false])
  expect(await count(honey.id, '10')).toMatchObject({ expected_milli: 10_000 })
})

// The days of the database's clock.
const [soon, later] = [addDays(dhakaDate(new Date()), 5), addDays(dhakaDate(new Date()), 30)]

/** An order in two deliveries: a cow and honey on its list day, jam later. */
async function orderTwoDeliveries() {
  const cow = await buildAnimal(db)
  const honey = (await buildProduct(db, { unit: 'piece', stock_milli: 10_000 })).id
  const jam = (await buildProduct(db, { unit: 'piece', stock_milli: 10_000, status: 'pre-book', delivery_on: later })).id
  const ordered: [number, number][] = [
    [cow.id, 1],
    [honey, 4],
    [jam, 3],
  ]
  const placed = await shop.visitor().post('/customer-orders', orderBody(area.id, ordered, { deliveries: 2 }))
  expect(placed.status, placed.text).toBe(200)
  return { placed, cow, honey, jam }
}

it('the first of two deliveries is not expected from its day on; the second one is', async () => {
  const { placed, cow, honey, jam } = await orderTwoDeliveries()
  const { take, count } = await start()
  await sql`update orders set status = 'processing', list_on = ${soon} where id = ${placed.body.order_id}`.execute(db)
  expect(await count(cow.id, '0')).toMatchObject({ expected_milli: 1000 })
  await manager.post(`/admin/stock-takes/${take}/remove`, { product_id: cow.id, version: 1 })
  await sql`update orders set list_on = '2026-01-01' where id = ${placed.body.order_id}`.execute(db)
  expect(await count(cow.id, '0')).toMatchObject({ expected_milli: 0, counted_milli: 0 })
  expect(await count(honey, '6')).toMatchObject({ expected_milli: 6000 })
  expect(await count(jam, '10')).toMatchObject({ expected_milli: 10_000 })
  const { body } = await manager.get(`/api/admin/stock-takes/${take}/recent`)
  const { summary } = body as { summary?: { revision: string } }
  expect((await manager.post(`/admin/stock-takes/${take}/close`, { revision: summary?.revision })).status).toBe(200)
  expect([await stockOf(db, honey), await stockOf(db, jam), await stockOf(db, cow.id)]).toMatchObject([
    { left: 6 },
    { left: 7 },
    { status: 'hold' },
  ])
})

it('an order whose two deliveries have come to one day is expected', async () => {
  const { placed, honey, jam } = await orderTwoDeliveries()
  await sql`update orders set status = 'processing', list_on = '2026-01-01' where id = ${placed.body.order_id}`.execute(db)
  await sql`update products set delivery_on = null where id = ${jam}`.execute(db)
  const { count } = await start()
  expect([await count(honey, '10'), await count(jam, '10')]).toMatchObject([{ expected_milli: 10_000 }, { expected_milli: 10_000 }])
})

it('SQL and TypeScript agree on whether a first delivery may have been made', async () => {
  const { placed } = await orderTwoDeliveries()
  const id = placed.body.order_id
  const today = dhakaDate(new Date())
  for (const list_on of [today, soon, later])
    for (const status of ORDER_STATUSES) {
      await sql`update orders set status = ${status}, reason = 'test', list_on = ${list_on}, expires_at = null where id = ${id}`.execute(db)
      const { rows } = await sql<{ status: OrderStatus; first_delivery_on: string | null; inSql: boolean | null }>`
        select status, first_delivery_on(o), ${inSql(sql`${today}`)} as "inSql" from orders o where id = ${id}`.execute(db)
      const [row] = rows
      expect([list_on, status, row!.inSql ?? false]).toEqual([list_on, status, mayBePartlyDelivered(row!, today)])
    }
})
