import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { listMovements } from '#features/catalog/products/count-stock.server.ts'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { testDb } from '#test/db.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Props as SheetProps } from '#site/admin/stock-takes/stock-take.page.tsx'
import type { TakeRow } from './queries.server.ts'

// Managers count the stock on a sheet and close it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
const owner = await signedIn(shop, 'owner')
const others = { sales: await signedIn(shop, 'sales'), cashier: await signedIn(shop, 'cashier'), viewer: await signedIn(shop, 'viewer') }
const area = await buildArea(db, { produce: 80, cattle: 1500 })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

let take: number
let honey: number
beforeEach(async () => {
  take = await start()
  honey = (await buildProduct(db, { unit: 'piece', stock_milli: 10_000, price_poisha: 50_000 })).id
})

async function start(body: object = {}): Promise<number> {
  const answer = await manager.post('/admin/stock-takes', { category_id: '', note: '', ...body })
  return (answer.body as { id: number }).id
}
type Key = Record<string, string>
const send = (does: string, body: object, { who = manager, headers = {} as Key, id = take } = {}) =>
  who.post(`/admin/stock-takes/${id}/${does}`, body, { headers })
const scan = (product_id: number, quantity = '1', options = {}) => send('scan', { product_id, quantity }, options)
const count = (product_id: number, quantity: string, { reason = 'counted', version = null as number | null, who = manager } = {}) =>
  send('count', { product_id, quantity, reason, version }, { who })
const lineOf = (answer: { body: unknown }) => (answer.body as { row: TakeRow }).row.line
async function sheet(query = '', id = take): Promise<SheetProps> {
  const answer = await manager.get(`/admin/stock-takes/${id}${query}`, { accept: 'text/html' })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`)
  return pageProps<SheetProps>(answer.text)
}
const close = async (who = manager) => send('close', { revision: (await sheet()).summary.revision }, { who })
const order = (productId: number, quantity: number) =>
  shop.post('/customer-orders', orderBody(area.id, [[productId, quantity]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }))
const takeState = async (id = take) =>
  (
    await sql<{ state: string; value: number | null }>`select state, difference_poisha as value from stock_takes where id = ${id}`.execute(
      db,
    )
  ).rows[0]

describe('counting', () => {
  it('expects what was ordered until it leaves the farm, so that it is not counted as found', async () => {
    const ordered = ((await order(honey, 3)).body as { order_id: number }).order_id
    const open = (await sheet('?list=open')).rows.rows.find(({ id }) => id === honey)
    expect(open).toMatchObject({ stock_milli: 7000, ordered_milli: 3000, line: null })
    expect(lineOf(await count(honey, '10'))).toMatchObject({ expected_milli: 10_000, counted_milli: 10_000 })
    expect((await close()).status).toBe(200)
    expect(await stockOf(db, honey)).toMatchObject({ left: 7 })

    for (const [version, status] of [[1, 'processing'] as const, [2, 'on_delivery'] as const]) {
      const moved = await manager.post('/admin/orders/status', { orders: [{ id: ordered, version }], status, reason: '' })
      expect(moved.body).toMatchObject({ results: [{ id: ordered, ok: true }] })
    }
    take = await start()
    expect(lineOf(await scan(honey, '7'))).toMatchObject({ expected_milli: 7000, counted_milli: 7000 })
  })

  it('a scan adds its quantity; the expected stock is that of the first count', async () => {
    expect(lineOf(await scan(honey))).toMatchObject({ expected_milli: 10_000, counted_milli: 1000, reason: 'counted', version: 1 })
    await order(honey, 2)
    expect(lineOf(await scan(honey, '2'))).toMatchObject({ expected_milli: 10_000, counted_milli: 3000, version: 2 })
    const mango = await buildProduct(db, { unit: 'kg', stock_milli: 5000 })
    expect(lineOf(await scan(mango.id, '1.25'))).toMatchObject({ counted_milli: 1250 })
    expect((await sheet()).summary).toMatchObject({ counted: 2, different: 2, missing_poisha: -350_000 - 45_000, surplus_poisha: 0 })
  })

  it('a repeated scan under its key counts once; scans at the same time all count', async () => {
    const headers = { 'idempotency-key': 'scan-of-honey-1' }
    await Promise.all([scan(honey, '1', { headers }), scan(honey, '1', { headers })])
    expect(lineOf(await scan(honey, '1', { headers }))).toMatchObject({ counted_milli: 1000 })
    await Promise.all(Array.from({ length: 8 }, (_, index) => scan(honey, '1', { who: index % 2 ? owner : manager })))
    expect(lineOf(await scan(honey))).toMatchObject({ counted_milli: 10_000, version: 10 })
  })

  it('a quantity is typed in either script, with a reason that fits', async () => {
    const first = lineOf(await count(honey, '৮', { reason: 'spoiled' }))
    expect(first).toMatchObject({ counted_milli: 8000, reason: 'spoiled', version: 1 })
    expect((await count(honey, '8', { reason: 'found', version: 1 })).body.errors).toHaveProperty('reason')
    // Scans that leave nothing missing drop the reason.
    expect(lineOf(await scan(honey, '2'))).toMatchObject({ counted_milli: 10_000, reason: 'counted' })
    const mango = await buildProduct(db, { unit: 'kg', stock_milli: 5000 })
    expect(lineOf(await count(mango.id, '৫,২৫', { reason: 'found' }))).toMatchObject({ counted_milli: 5250, reason: 'found' })
  })

  it('of two people who type a quantity, the second one sees the first', async () => {
    await count(honey, '9')
    const second = await count(honey, '7', { who: owner })
    expect(second.status).toBe(409)
    expect(lineOf(second)).toMatchObject({ counted_milli: 9000, version: 1 })
    expect((await count(honey, '7', { who: owner, version: 1 })).status).toBe(200)
    expect((await send('remove', { product_id: honey, version: 1 })).status).toBe(409)
    expect(lineOf(await send('remove', { product_id: honey, version: 2 }))).toBeNull()
    expect((await send('remove', { product_id: honey, version: 2 })).status).toBe(200)
  })

  it('a line that was removed and counted again is another line to those who saw the first one', async () => {
    await count(honey, '9')
    const { revision } = (await sheet()).summary
    await send('remove', { product_id: honey, version: 1 }, { who: owner })
    const counted = lineOf(await count(honey, '4', { who: owner }))!
    expect((await count(honey, '8', { version: 1 })).status).toBe(409)
    expect((await send('remove', { product_id: honey, version: 1 })).status).toBe(409)
    expect((await send('close', { revision })).status).toBe(409)
    expect((await count(honey, '5', { version: counted.version })).status).toBe(200)
  })

  it.each([
    ['scan', { quantity: '1.5' }],
    ['scan', { quantity: '-1' }],
    ['scan', { quantity: '' }],
    ['scan', { quantity: 1 }],
    ['scan', { quantity: '9'.repeat(60) }],
    ['scan', { product_id: 'x' }],
    ['scan', { product_id: 1e30 }],
    ['scan', { more: 1 }],
    ['count', { quantity: '1.5', reason: 'counted', version: null }],
    ['count', { quantity: '1', reason: 'stolen', version: null }],
    ['count', { quantity: '1', reason: 'counted', version: 0 }],
    ['count', { quantity: '1', reason: 'counted' }],
    ['remove', {}],
    ['close', {}],
  ])('%s with %j is refused', async (does, body) => {
    const whole = does === 'close' ? body : { product_id: honey, ...(does === 'scan' ? { quantity: '1' } : {}), ...body }
    expect((await send(does, whole)).status).toBe(422)
    expect((await sheet()).summary.counted).toBe(0)
  })

  it('uncounted, archived and unknown products, and those of another category, are refused', async () => {
    const loose = await buildProduct(db)
    expect((await scan(loose.id)).body.errors).toHaveProperty('product_id')
    expect((await scan(999_999_999)).status).toBe(404)
    const archived = await buildProduct(db, { stock_milli: 1000, visible: false, archived_at: new Date() })
    expect((await scan(archived.id)).status).toBe(404)
    const category = await buildCategory(db)
    const jam = await buildProduct(db, { unit: 'piece', stock_milli: 1000, category_id: category.id })
    const id = await start({ category_id: category.id, note: 'Shelf 2' })
    expect((await scan(honey, '1', { id })).body.errors).toHaveProperty('product_id')
    expect((await scan(jam.id, '1', { id })).status).toBe(200)
    expect((await sheet('', id)).take).toMatchObject({ category_en: expect.any(String), note: 'Shelf 2' })
    expect((await manager.post('/admin/stock-takes', { category_id: 99_999, note: '' })).status).toBe(422)
  })

  it('lists what is counted, open and different', async () => {
    await count(honey, '9')
    const jam = await buildProduct(db, { unit: 'piece', stock_milli: 1000, name_en: 'Jamjar special' })
    expect((await sheet('?list=different')).rows.rows.map(({ id }) => id)).toEqual([honey])
    expect((await sheet('?list=open&q=jamjar')).rows.rows.map(({ id }) => id)).toEqual([jam.id])
    await count(jam.id, '1')
    expect((await sheet('?list=open&q=jamjar')).rows.rows).toEqual([])
    expect((await sheet('')).rows.rows.map(({ id }) => id)).toEqual([jam.id, honey])
    expect((await sheet('?after=-9007199254740991~1')).rows.rows.map(({ id }) => id)).toEqual([jam.id, honey])
    const recent = await manager.get(`/api/admin/stock-takes/${take}/recent`)
    expect((recent.body as unknown as { rows: TakeRow[] }).rows).toHaveLength(2)
  })
})

describe('closing', () => {
  it('adds the differences to the stock of that moment, once', async () => {
    const jam = await buildProduct(db, { unit: 'piece', stock_milli: 0, status: 'out-of-stock', price_poisha: 20_000 })
    await count(honey, '7', { reason: 'spoiled' })
    await count(jam.id, '3', { reason: 'found' })
    await order(honey, 4)
    const { revision } = (await sheet()).summary
    const answers = await Promise.all([
      send('close', { revision }),
      send('close', { revision }, { who: owner }),
      send('close', { revision }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    // 10 - 4 sold - 3 spoiled.
    expect(await stockOf(db, honey)).toEqual({ left: 3, status: 'in-stock' })
    expect(await stockOf(db, jam.id)).toEqual({ left: 3, status: 'in-stock' })
    expect(await takeState()).toEqual({ state: 'closed', value: -150_000 + 60_000 })
    expect((await listMovements(db, honey))[0]).toMatchObject({
      delta: -3,
      reason: 'spoiled',
      take: { id: take, reason: 'spoiled' },
      order_id: null,
    })
    expect((await listMovements(db, jam.id))[0]).toMatchObject({ delta: 3, reason: 'counted', take: { id: take, reason: 'found' } })
    expect((await scan(honey)).status).toBe(409)
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where subject = 'stock-take' and subject_id = ${String(take)} order by id`.execute(db)
    expect(rows.map(({ action }) => action)).toEqual(['created', 'closed'])
  })

  it('never leaves less than nothing: the line says so, and no stock changes', async () => {
    const jam = await buildProduct(db, { unit: 'piece', stock_milli: 5000 })
    await count(honey, '2', { reason: 'lost' })
    await count(jam.id, '4', { reason: 'lost' })
    await order(honey, 5)
    const refused = await close()
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ problems: [{ reason: 'below-zero', row: { id: honey, stock_milli: 5000 } }] })
    expect(await stockOf(db, jam.id)).toMatchObject({ left: 5 })
    expect(await takeState()).toMatchObject({ state: 'open' })
    await count(honey, '5', { reason: 'lost', version: 1 })
    expect((await close()).status).toBe(200)
    expect(await stockOf(db, honey)).toEqual({ left: 0, status: 'out-of-stock' })
  })

  it('waits for orders of its products, and orders wait for it', async () => {
    await count(honey, '6')
    const [closed, ...ordered] = await Promise.all([close(), order(honey, 1), order(honey, 1), order(honey, 1)])
    expect([closed.status, ...ordered.map(({ status }) => status)]).toEqual([200, 200, 200, 200])
    expect(await stockOf(db, honey)).toMatchObject({ left: 3 })
  })

  it('is refused when lines were counted since the person looked, and without a line', async () => {
    expect((await close()).status).toBe(422)
    await count(honey, '9')
    const { revision } = (await sheet()).summary
    await scan(honey)
    expect((await send('close', { revision })).status).toBe(409)
    expect(await takeState()).toMatchObject({ state: 'open' })
  })

  it('a product whose stock is no longer tracked is an error at its line', async () => {
    await count(honey, '9')
    await manager.post(`/admin/products/${honey}/stock`, { kind: 'uncounted', quantity: '', note: '' })
    expect((await close()).body).toMatchObject({ problems: [{ reason: 'not-counted' }] })
  })

  it('a missing animal is written off; a booked one is an error; one that is there stays as it is', async () => {
    const [gone, here, booked, sold] = [
      await buildAnimal(db),
      await buildAnimal(db),
      await buildAnimal(db),
      await buildAnimal(db, { status: 'sold', stock_milli: 0 }),
    ]
    const payment = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 11_500, partial_payment: 11_500 }
    const { body } = await shop.post('/customer-orders', orderBody(area.id, [[booked.id, 1]], payment))
    await count(gone.id, '0', { reason: 'lost' })
    await scan(here.id)
    expect(lineOf(await scan(here.id))).toMatchObject({ expected_milli: 1000, counted_milli: 1000 })
    expect((await scan(here.id, '2')).status).toBe(422)
    expect(lineOf(await count(booked.id, '0', { reason: 'lost' }))).toMatchObject({ expected_milli: 1000 })
    expect(lineOf(await count(sold.id, '1', { reason: 'found' }))).toMatchObject({ expected_milli: 0 })
    expect((await close()).body).toMatchObject({ problems: [{ reason: 'ordered', order_id: body.order_id, row: { id: booked.id } }] })
    await count(booked.id, '1', { version: 1 })
    expect((await close()).status).toBe(200)
    expect(await stockOf(db, gone.id)).toEqual({ left: 0, status: 'out-of-stock' })
    expect(await stockOf(db, here.id)).toEqual({ left: 1, status: 'in-stock' })
    expect(await stockOf(db, booked.id)).toMatchObject({ status: 'hold' })
    expect(await stockOf(db, sold.id)).toMatchObject({ status: 'sold' })
  })

  it('a cancelled sheet changes nothing and stays in the list', async () => {
    await count(honey, '1')
    expect((await send('cancel', {})).status).toBe(200)
    expect((await send('cancel', {})).status).toBe(409)
    expect((await close()).status).toBe(409)
    expect(await stockOf(db, honey)).toMatchObject({ left: 10 })
    expect(await takeState()).toEqual({ state: 'cancelled', value: null })
    const csv = await manager.get(`/admin/stock-takes/${take}/export`)
    expect(csv.text).toContain(`${honey},`)
    const bengali = (await manager.get(`/admin/stock-takes/${take}/export?lang=bn`)).text.split('\r\n')
    expect([bengali[0], bengali[1]]).toEqual([expect.not.stringMatching(/[a-z]/i), expect.stringContaining('গোনায় ভুল')])
    expect((await manager.get(`/admin/stock-takes/${take}/print`, { accept: 'text/html' })).status).toBe(200)
  })
})

it('counting is for those who change stock; the viewer reads', async () => {
  for (const who of [others.sales, others.cashier, others.viewer]) expect((await scan(honey, '1', { who })).status).toBe(403)
  expect((await shop.post(`/admin/stock-takes/${take}/scan`, { product_id: honey, quantity: '1' })).status).toBe(401)
  expect((await others.viewer.get(`/admin/stock-takes/${take}`, { accept: 'text/html' })).status).toBe(200)
  expect((await others.cashier.get(`/admin/stock-takes/${take}`, { accept: 'text/html' })).status).toBe(403)
  for (const path of ['0', '999999', 'x'])
    expect((await manager.get(`/admin/stock-takes/${path}`, { accept: 'text/html' })).status).toBe(404)
  for (const does of ['scan', 'count', 'remove', 'close', 'cancel']) {
    const body = {
      scan: { product_id: honey, quantity: '1' },
      count: { product_id: honey, quantity: '1', reason: 'counted', version: null },
      remove: { product_id: honey, version: 1 },
      close: { revision: '' },
      cancel: {},
    }[does]!
    expect((await send(does, body, { id: 999_999 })).status).toBe(404)
  }
})
