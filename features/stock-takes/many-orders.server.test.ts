import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { type Db, openDb } from '#lib/db/db.server.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { testDb } from '#test/db.ts'
import { rowsRead } from '#test/rows-read.ts'
import { openShop } from '#test/request.ts'
import { closeTake } from './close.server.ts'
import { findRows, findTake, listRows, summarize } from './queries.server.ts'
import { MAX_OPEN } from './rules.ts'

// A sheet of a shop with many open orders reads those of the products that it shows.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
const ORDERS = 300
const FIRST = { backward: false, from: null }
let honey: number
let take: number
const start = async () => ((await manager.post('/admin/stock-takes', { category_id: '', note: '' })).body as { id: number }).id
const scan = (product_id: number) => manager.post(`/admin/stock-takes/${take}/scan`, { product_id, quantity: '1' })

beforeAll(async () => {
  const area = await buildArea(db, { produce: 80 })
  const others = await Promise.all(Array.from({ length: 30 }, () => buildProduct(db, { unit: 'piece', stock_milli: 100_000 })))
  honey = (await buildProduct(db, { unit: 'piece', stock_milli: 10_000 })).id
  const order = async (product: number) => {
    const { status, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[product, 1]]))
    expect(status, text).toBe(200)
  }
  await Promise.all(Array.from({ length: ORDERS }, (_, n) => order(others[n % others.length]!.id)))
  await order(honey)
  await sql`analyze orders, order_lines, products`.execute(db)
  take = await start()
  expect((await scan(honey)).status).toBe(200)
})
afterAll(() => expect(shop.failures).toEqual([]))

/** The rows of `orders` that a read fetches. */
const ordersRead = (read: (tx: Db) => Promise<unknown>) =>
  rowsRead(db, 'orders', async (tx) => {
    // A table of this size is read whole more cheaply.
    await sql`set local enable_seqscan = off`.execute(tx)
    await read(tx)
  })

it('the lines of a sheet, and a scanned product', async () => {
  expect(await ordersRead((tx) => listRows(tx, take, { list: 'counted' }, FIRST))).toBeLessThan(10)
  expect(await ordersRead((tx) => findRows(tx, take, [honey]))).toBeLessThan(10)
  expect(await ordersRead((tx) => listRows(tx, take, { list: 'counted', readsOrders: false }, FIRST))).toBeLessThan(10)
  expect(await findRows(db, take, [honey])).toMatchObject([{ stock_milli: 9000, ordered_milli: 1000, line: { expected_milli: 10_000 } }])
})

it('the open products read the open orders once', async () => {
  await buildProduct(db, { unit: 'piece', stock_milli: 0, status: 'out-of-stock' })
  const read = await rowsRead(db, 'orders', async (tx) => {
    expect((await listRows(tx, take, { list: 'open' }, FIRST)).rows).toHaveLength(30)
  })
  expect(read).toBeLessThan(1.5 * ORDERS)
})

it('the head of a sheet reads none of its lines', async () => {
  expect(await rowsRead(db, 'stock_take_lines', (tx) => findTake(tx, take))).toBe(0)
})

it('the totals read no orders while many products are uncounted', async () => {
  await Promise.all(Array.from({ length: MAX_OPEN + 1 }, () => buildProduct(db, { unit: 'piece', stock_milli: 1000 })))
  expect(await ordersRead((tx) => summarize(tx, take))).toBeLessThan(10)
  expect(await summarize(db, take)).toMatchObject({ counted: 1, open: MAX_OPEN + 1 })
})

it('the totals read each product of a sheet twice at most, and find the ordered ones', async () => {
  await sql`insert into stock_take_lines (take_id, product_id, expected_milli, last_movement_id, counted_milli, first_counted_at, counted_at, counted_by, version)
    select t.id, p.id, 1000, 0, 1000, now(), now(), t.started_by, 1 from stock_takes t cross join products p
    where t.id = ${take} and p.stock_milli > 0 on conflict do nothing`.execute(db)
  await buildProduct(db, { unit: 'piece', stock_milli: 1000 })
  await buildProduct(db, { unit: 'piece', stock_milli: 0, status: 'out-of-stock' })
  const sold = (await buildProduct(db, { unit: 'piece', stock_milli: 1000 })).id
  const body = orderBody((await buildArea(db, { produce: 80 })).id, [[sold, 1]])
  expect((await shop.visitor().post('/customer-orders', body)).status).toBe(200)
  await sql`analyze products, stock_take_lines`.execute(db)
  const { rows } = await sql<{ all: number }>`select count(*)::int as all from products`.execute(db)
  expect(await rowsRead(db, 'products', (tx) => summarize(tx, take))).toBeLessThan(2.5 * rows[0]!.all)
  expect(await summarize(db, take)).toMatchObject({ open: 2 })
  expect((await listRows(db, take, { list: 'open' }, FIRST)).rows).toHaveLength(2)
})

it('closing takes no more statements for many missing animals than for one', async () => {
  let statements = 0
  const counted = openDb(url, { onQuery: () => statements++ })
  const statementsFor = async (animals: number) => {
    take = await start()
    for (let n = 0; n < animals; n++) {
      const { id } = await buildAnimal(db)
      await manager.post(`/admin/stock-takes/${take}/count`, { product_id: id, quantity: '0', reason: 'lost', version: null })
    }
    const { revision } = await summarize(db, take)
    statements = 0
    const { rows } = await sql<{ id: number }>`select id from users where role = 'manager'`.execute(db)
    expect(await closeTake(counted.db, { kind: 'staff', id: rows[0]!.id, ip: '' }, take, revision, new Date())).toMatchObject({ ok: true })
    return statements
  }
  const one = await statementsFor(1)
  expect(await statementsFor(20)).toBe(one)
  await counted.close()
})

it('the totals of a sheet that has ended look at no product but its own', async () => {
  await sql`update stock_takes set state = 'cancelled', ended_by = started_by, ended_at = now() where state = 'open'`.execute(db)
  await Promise.all(Array.from({ length: 50 }, () => buildProduct(db, { unit: 'piece', stock_milli: 1000 })))
  take = await start()
  await scan(honey)
  const { revision, open } = await summarize(db, take)
  expect(open).toBeGreaterThan(50)
  const { rows } = await sql<{ id: number }>`select id from users where role = 'manager'`.execute(db)
  expect(await closeTake(db, { kind: 'staff', id: rows[0]!.id, ip: '' }, take, revision, new Date())).toMatchObject({ ok: true })
  const read = await rowsRead(db, 'products', async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    expect(await summarize(tx, take)).toMatchObject({ counted: 1, open: 0 })
  })
  expect(read).toBeLessThan(10)
})
