import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { signedIn, storeBody } from '../orders/testing/admin-shop.ts'
import { runBulkOrders } from './run-bulk-orders.server.ts'
import type { BulkRun } from './types.ts'

// Bulk changes in the background: each order once and whole, after a kill, by two processes, and never one that came later.

const { db, url } = await testDb({ max: 16 })
const [shop, twin] = [await openShop({ databaseUrl: url, max: 16 }), await openShop({ databaseUrl: url, max: 16 })]
afterAll(() => expect([...shop.failures, ...twin.failures]).toEqual([]))
const [sales, viewer, weigher] = [await signedIn(shop, 'sales'), await signedIn(shop, 'viewer'), await signedIn(shop, 'weigher')]
const area = await buildArea(db, { produce: 80, cattle: 1500 })
const mango = await buildProduct(db, { price_poisha: 10_000, stock_milli: 50_000 })
const jam = await buildProduct(db, { price_poisha: 10_000 })
const first = (await sales.post('/admin/orders/store', storeBody(area.id, [[mango.id, 1]]))).body.order_id as number

beforeEach(async () => {
  await sql`truncate bulk_runs cascade`.execute(db)
  await sql`delete from sms_outbox`.execute(db)
  await sql`delete from order_events where order_id <> ${first}`.execute(db)
  await sql`delete from orders where id <> ${first}`.execute(db)
  await sql`update users set disabled_at = null where id = ${sales.id}`.execute(db)
})

/** Placed orders of one customer without lines, as many as wanted. */
async function placed(count: number): Promise<void> {
  await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
    list_on, placed_at, view_key, tracking_code, source) select customer_id, 'Many', '01733333333', 'x', 0, 0, 0, 0, 'full', 'NONE', 0, '2026-01-01', '2026-01-01',
    'v' || nextval('orders_id_seq'), 't' || nextval('orders_id_seq'), 'legacy' from orders, generate_series(1, ${count}) where id = ${first}`.execute(
    db,
  )
}
const QUERY = 'source=legacy&status=placed'
async function start(status = 'processing', { query = QUERY, reason = '', as = sales, key = '' } = {}) {
  const counted = (await sales.get(`/api/admin/orders/bulk/count?${new URLSearchParams({ query }).toString()}`)).body as unknown as {
    count: number
    up_to: number
  }
  return as.post('/admin/orders/bulk', { ...counted, query, status, reason }, key ? { headers: { 'idempotency-key': key } } : {})
}
const work = (process = shop, budgetMs = 600_000) =>
  runBulkOrders({ ...process.deps, catalogChanged: () => process.deps.catalogRevision.advance() }, budgetMs)
const runs = async () => ((await viewer.get('/api/admin/orders/bulk')).body as unknown as { runs: BulkRun[] }).runs
const latest = async () => (await runs())[0]
const counts = async () =>
  Object.fromEntries(
    (
      await sql<{
        status: string
        count: number
      }>`select status, count(*)::int as count from orders where source = 'legacy' group by 1`.execute(db)
    ).rows.map(({ status, count }) => [status, count]),
  )
/** Status events of orders of the run; more than one an order would be a change that was made twice. */
const events = async () =>
  (
    await sql<{
      count: number
      orders: number
    }>`select count(*)::int as count, count(distinct order_id)::int as orders from order_events where kind = 'status' and order_id <> ${first}`.execute(
      db,
    )
  ).rows[0]

describe('a run', () => {
  it('changes 600 orders by two processes, each once, with event and log', async () => {
    await placed(600)
    const logged = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_log
        where subject = 'order' and action = 'changed' and actor_id = ${sales.id}`.execute(db)
      return rows[0]!.count
    }
    const before = await logged()
    const answer = await start()
    expect([answer.status, (answer.body as { total?: number }).total]).toEqual([200, 600])
    const handled = await Promise.all([work(), work(twin)])
    expect(handled[0]! + handled[1]!).toBe(600)
    expect(Math.min(...handled)).toBeGreaterThan(0)
    // The process that leaves first may leave the end to the other one's next call.
    await work()
    expect(await counts()).toEqual({ processing: 600 })
    expect(await events()).toEqual({ count: 600, orders: 600 })
    expect(await latest()).toMatchObject({ state: 'done', total: 600, done: 600, failed: 0 })
    expect((await logged()) - before).toBe(600)
  })

  it('leaves alone orders that came later, and those that changed since', async () => {
    await placed(5)
    await start()
    await placed(3)
    await sql`update orders set version = version + 1 where id = (select min(id) from orders where source = 'legacy')`.execute(db)
    await work()
    expect(await counts()).toEqual({ placed: 4, processing: 4 })
    const run = await latest()
    expect(run).toMatchObject({ state: 'done', done: 4, failed: 1 })
    const { body } = await viewer.get(`/api/admin/orders/bulk/${run?.id}/failures`)
    expect((body as unknown as { failures: { message: string }[] }).failures.map(({ message }) => message)).toEqual([
      'This order was changed in the meantime. Nothing was saved.',
    ])
  })

  it('leaves alone orders between two deliveries: those whose second one is ahead, and those that would give the first one back', async () => {
    await placed(2)
    await sql`update orders set status = 'processing', deliveries = 2, list_on = '2026-01-01' where source = 'legacy'`.execute(db)
    await sql`insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha, delivery_on)
      select o.id, n, p.id, 'x', 'x', 'kg', 1000, 0, 0, 0, case n when 2 then '2999-01-01'::date end
      from orders o, generate_series(1, 2) n join lateral (select id from products where id in (${mango.id}, ${jam.id}) order by id offset n - 1 limit 1) p on true
      where o.source = 'legacy'`.execute(db)
    for (const status of ['on_delivery', 'cancelled']) {
      expect((await start(status, { query: 'source=legacy', reason: 'No answer' })).status).toBe(200)
      await work()
      expect(await latest()).toMatchObject({ state: 'done', done: 0, failed: 2 })
    }
    expect(await counts()).toEqual({ processing: 2 })
  })

  it('goes on after a process that was killed in the middle, whose order is whole', async () => {
    await placed(60)
    await start()
    // The killed process: its connection ends inside the transaction of an order that it has already changed.
    const killed = new pg.Client({ connectionString: url })
    killed.on('error', () => {})
    await killed.connect()
    const pid = (await killed.query<{ pid: number }>('begin; select pg_backend_pid() as pid')) as unknown as { rows: { pid: number }[] }[]
    await killed.query('select 1 from bulk_runs for share')
    const { rows } = await killed.query<{ order_id: string }>('select order_id from bulk_run_orders order by order_id limit 1 for update')
    await killed.query(`update orders set status = 'processing' where id = ${rows[0]!.order_id}`)
    await killed.query(`update bulk_run_orders set state = 'done' where order_id = ${rows[0]!.order_id}`)
    await sql`select pg_terminate_backend(${pid[1]!.rows[0]!.pid}, 10000)`.execute(db)
    expect(await work(twin, 0)).toBe(0)
    expect(await counts()).toEqual({ placed: 60 })
    await work(twin)
    expect(await counts()).toEqual({ processing: 60 })
    expect(await events()).toEqual({ count: 60, orders: 60 })
    expect(await latest()).toMatchObject({ state: 'done', done: 60 })
  })

  it('passes over an order that another process is at, and ends when that one is done', async () => {
    await placed(3)
    await start()
    const other = await shop.deps.db.startTransaction().execute()
    await sql`select 1 from bulk_run_orders order by order_id limit 1 for update`.execute(other)
    expect(await work(twin)).toBe(2)
    expect((await latest())?.state).toBe('running')
    await other.rollback().execute()
    expect(await work(twin)).toBe(1)
    expect((await latest())?.state).toBe('done')
  })

  it('stops when it is cancelled: changed orders stay, the others are as they were', async () => {
    await placed(50)
    await start()
    const run = (await latest())!
    const working = work(twin)
    const cancelled = await sales.post(`/admin/orders/bulk/${run.id}/cancel`, {})
    // After the answer no further order changes.
    const after = await counts()
    await working
    expect(cancelled.status).toBe(200)
    expect(await counts()).toEqual(after)
    const ended = await latest()
    expect(ended).toMatchObject({ state: 'cancelled', total: 50, done: after.processing ?? 0 })
    expect(await work()).toBe(0)
    expect((await sales.post(`/admin/orders/bulk/${run.id}/cancel`, {})).status).toBe(409)
    expect((await sales.post(`/admin/orders/bulk/${run.id}/dismiss`, {})).status).toBe(200)
    expect(await runs()).toEqual([])
  })

  it('ends when its starter may no longer change orders', async () => {
    await placed(3)
    await start()
    await sql`update users set disabled_at = now() where id = ${sales.id}`.execute(db)
    await work()
    expect(await counts()).toEqual({ placed: 3 })
    expect((await latest())?.state).toBe('cancelled')
    const { rows } =
      await sql`select actor_id, after from audit_log where subject = 'bulk-run' and action = 'changed' order by id desc limit 1`.execute(
        db,
      )
    expect(rows).toEqual([{ actor_id: null, after: { state: 'cancelled', why: 'actor' } }])
  })

  it('follows the state machine, and delivers no order with an amount due', async () => {
    await placed(3)
    await start('completed')
    await work()
    expect(await latest()).toMatchObject({ done: 0, failed: 3 })
    await sql`update orders set status = 'on_delivery', subtotal_poisha = 100, total_poisha = 100
      where id = (select min(id) from orders where source = 'legacy')`.execute(db)
    await sql`update orders set status = 'on_delivery' where source = 'legacy'`.execute(db)
    await start('delivered', { query: 'source=legacy&status=on_delivery' })
    await work()
    expect(await counts()).toEqual({ on_delivery: 1, delivered: 2 })
    const { body } = await viewer.get(`/api/admin/orders/bulk/${(await latest())?.id}/failures`)
    expect(JSON.stringify(body)).toContain('change it by hand')
  })

  it('tries an order that fails unexpectedly three times, after the others', async () => {
    await placed(3)
    await start('cancelled', { reason: 'Flood' })
    const shopCache = { settings: () => shop.deps.shopCache.settings() }
    const errors: object[] = []
    const [bad] = (await sql<{ id: number }>`select min(id) as id from orders where source = 'legacy'`.execute(db)).rows
    await sql
      .raw(`create function fail_order() returns trigger language plpgsql as $$ begin if new.id = ${bad!.id} then raise exception 'broken'; end if; return new; end $$;
      create trigger fail_order before update on orders for each row execute function fail_order()`)
      .execute(db)
    try {
      await runBulkOrders(
        { ...shop.deps, shopCache, catalogChanged: () => {}, log: { error: (details) => void errors.push(details) } },
        120_000,
      )
    } finally {
      await sql`drop trigger fail_order on orders`.execute(db)
      await sql`drop function fail_order()`.execute(db)
    }
    expect(errors).toHaveLength(3)
    expect(await counts()).toEqual({ placed: 1, cancelled: 2 })
    expect(await latest()).toMatchObject({ state: 'done', done: 2, failed: 1 })
  })
})

describe('the start', () => {
  it('is for roles that write orders', async () => {
    await placed(2)
    expect([(await start('processing', { as: viewer })).status, (await start('processing', { as: weigher })).status]).toEqual([403, 403])
    expect((await viewer.get('/api/admin/orders/bulk/count?query=')).status).toBe(403)
    expect((await weigher.get('/api/admin/orders/bulk')).status).toBe(403)
    await start()
    expect((await viewer.post(`/admin/orders/bulk/${(await latest())?.id}/cancel`, {})).status).toBe(403)
    expect((await latest())?.state).toBe('running')
  })

  it('makes one run of a request that is repeated, also concurrently', async () => {
    await placed(2)
    const answers = await Promise.all([1, 2, 3].map(() => start('processing', { key: 'bulk-0123456789' })))
    expect(new Set(answers.map(({ body }) => (body as { id?: number }).id)).size).toBe(1)
    expect(await runs()).toHaveLength(1)
  })

  it('is refused for more orders than were confirmed, for none, without a reason, and beyond five runs', async () => {
    await placed(2)
    const body = { query: QUERY, status: 'processing', reason: '', count: 1, up_to: Number.MAX_SAFE_INTEGER }
    expect((await sales.post('/admin/orders/bulk', body)).status).toBe(409)
    expect((await start('processing', { query: 'source=legacy&status=returned' })).status).toBe(422)
    const without = await start('cancelled')
    expect([without.status, without.body.errors?.reason]).toEqual([422, ['Enter a reason']])
    expect(await runs()).toEqual([])
    for (let count = 0; count < 5; count += 1) expect((await start()).status).toBe(200)
    expect((await start()).status).toBe(409)
  })

  it.each([
    [{}],
    [{ query: QUERY, status: 'x', count: 1, up_to: 1 }],
    [{ query: 'a'.repeat(3000), status: 'placed', count: 1, up_to: 1 }],
    [{ query: '\u0000', status: 'placed', count: 1, up_to: 1 }],
    [{ query: '', status: 'placed', count: -1, up_to: 1 }],
    [{ query: '', status: 'placed', count: 200_000, up_to: 1 }],
    [{ query: '', status: 'placed', count: 1, up_to: 1, more: 1 }],
  ])('%j is rejected', async (body) => {
    expect((await sales.post('/admin/orders/bulk', body)).status).toBe(422)
  })

  it('takes the orders that the list shows where an address repeats a filter', async () => {
    await placed(2)
    const query = 'status=returned&status=placed&source=legacy'
    const list = await sales.get(`/admin/orders?${query}`, { accept: 'text/html' })
    expect(pageProps<{ list: { count: number } }>(list.text).list.count).toBe(0)
    expect((await start('processing', { query })).status).toBe(422)
    expect(await counts()).toEqual({ placed: 2 })
  })

  it('stores no name of a search', async () => {
    await placed(2)
    expect((await start('processing', { query: `${QUERY}&q=Many` })).status).toBe(200)
    expect((await sql<{ filter: string; total: number }>`select filter, total from bulk_runs`.execute(db)).rows).toEqual([
      { filter: `${QUERY}&q=…`, total: 2 },
    ])
  })
})
