import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { subscribeToCatalogChanges } from '#server/cache/invalidation.ts'
import { CatalogRevision } from '#server/cache/catalog-revision.ts'
import { buildAnimal, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { ownPostgres } from '#test/own-postgres.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'

// Rows 74 and 75: the database goes away, is frozen or slow, while shoppers order. The shop is not restarted.

const postgres = await ownPostgres()
afterAll(() => postgres.remove())
const shop = await openShop({ databaseUrl: postgres.url, max: 4, timeouts: {} })
const { db } = shop
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const jars = await Promise.all(Array.from({ length: 4 }, () => buildProduct(db, { unit: 'piece', stock_milli: 500_000 })))
const honey = jars[0]!
const owner = await buildUser(db, { role: 'owner' })
const staff = shop.visitor()
await staff.signIn(owner.phone)
const stock = await countStock(db)
const html = { accept: 'text/html' }
const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const order = (jar = honey) => orderBody(area.id, [[jar.id, 1]], cash)
/** A try that failed may have left the database away, and failures in the log. */
beforeEach(async () => {
  postgres.thaw()
  await postgres.start()
  await untilWell()
  shop.failures.length = 0
})
afterEach(async () => {
  await expectInvariants(db, stock)
  expect(shop.failures).toEqual([])
})

const open = async () => (await shop.get('/readyz')).status === 200 && shop.deps.catalogRevision.isSubscribed
const untilWell = () => expect.poll(open, { interval: 20 }).toBe(true)
function expectAway(answer: Answer, kind: 'page' | 'call', name = '') {
  expect(answer.status, name).toBe(503)
  expect(Number(answer.headers['retry-after']), name).toBeGreaterThan(0)
  expect(answer.headers['cache-control'], name).toBe(kind === 'page' ? 'no-store, no-transform' : 'no-store')
  expect(answer.headers['x-content-type-options'], name).toBe('nosniff')
  if (kind === 'page') expect(answer.text, name).toContain('Your cart is safe on this device')
  else
    expect(answer.body, name).toEqual({
      message: 'Temporarily unavailable. Please try again in a moment.',
      error: answer.body.message,
    })
}

describe('the database is stopped and started', () => {
  it('shoppers who browse meanwhile get pages or a friendly 503, and all is well again by itself', async () => {
    let isOver = false
    const seen: Record<number, number> = {}
    const browse = async (path: string) => {
      for (; !isOver; await sleep(5)) {
        const { status } = await shop.get(path, html)
        seen[status] = (seen[status] ?? 0) + 1
      }
    }
    const shoppers = [
      '/',
      '/api/products',
      '/cart',
      '/api/product/search?q=mango',
      `/api/product-status-update?productIds=${honey.id}`,
      `/product/${honey.id}`,
    ].map(browse)
    for (let times = 0; times < 2; times++) {
      await sleep(200)
      await postgres.stop()
      await sleep(500)
      await postgres.start()
      await untilWell()
    }
    isOver = true
    await Promise.all(shoppers)
    expect(Object.keys(seen).toSorted()).toEqual(['200', '503'])
  })

  it('says so in the right shape everywhere, at once, and serves nothing from before', async () => {
    const token = await shop.token()
    const [page, list] = [await shop.get('/', html), await shop.get('/api/products')]
    expect([page.status, list.status]).toEqual([200, 200])
    await postgres.stop()
    await expect.poll(() => shop.deps.catalogRevision.isSubscribed).toBe(false)
    const started = performance.now()
    for (const path of ['/', '/cart', `/product/${honey.id}`, '/invoice/1001']) expectAway(await shop.get(path, html), 'page', path)
    for (const path of ['/api/products', '/api/kurbani-cows', '/api/areas', '/readyz', '/payments/status?order=1001'])
      expectAway(await shop.get(path), 'call', path)
    expectAway(await staff.get('/', html), 'page', 'signed in')
    for (const [path, body] of [
      ['/customer-orders', order()],
      ['/login', { identifier: '01711000001', password: 'x' }],
      ['/mark-popup-shown', { shown: true }],
    ] as const) {
      expectAway(await shop.post(path, body, { token }), 'call', path)
    }
    const bengali = await shop.get('/', { ...html, cookie: 'lang=bn' })
    expect([bengali.status, bengali.text.includes('সাময়িকভাবে বন্ধ')]).toEqual([503, true])
    expect((await shop.get('/healthz')).status).toBe(200)
    expect((await shop.get('/healthz', { cookie: `sid=${staff.cookies.get('sid')}` })).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(9000)
    await postgres.start()
    await untilWell()
    expect((await staff.get('/', html)).status).toBe(200)
  })

  it('orders that it cut off are whole or not there, and can be sent again', async () => {
    const run = randomUUID()
    const orders = Array.from({ length: 30 }, (_, index) => ({ key: `${run}-${index}`, body: order() }))
    const first = orders.map(({ key, body }) => shop.post('/customer-orders', body, { key }).catch(() => null))
    await sleep(30)
    await postgres.stop()
    for (const answer of await Promise.all(first)) expect([200, 503]).toContain(answer?.status)
    await postgres.start()
    await untilWell()
    for (const [index, { key, body }] of orders.entries()) {
      const again = await shop.post('/customer-orders', body, { key })
      const before = await first[index]
      expect(again.status).toBe(200)
      if (before?.status === 200) expect(again.text).toBe(before.text)
    }
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from orders where idempotency_key like ${`guest:${run}-%`}`.execute(
      db,
    )
    expect(rows[0]?.n).toBe(30)
  })
})

it('a database that is there but does not speak: 503 in ten seconds, and well again when it does', async () => {
  const cow = await buildAnimal(db)
  stock.set(cow.id, 1000)
  const token = await shop.token()
  postgres.freeze()
  const started = performance.now()
  const [page, list, placed] = await Promise.all([
    shop.get('/cart', html),
    shop.get('/api/products?page=2'),
    shop.post('/login', { identifier: '01711000001', password: 'x' }, { token }),
  ])
  expect(performance.now() - started).toBeLessThan(12_000)
  expectAway(page, 'page')
  expectAway(list, 'call')
  expectAway(placed, 'call')
  postgres.thaw()
  await untilWell()
  expect((await shop.post('/customer-orders', order())).status).toBe(200)
})

it('caches are bypassed while notifications cannot arrive, even when the connection seems open', async () => {
  const revision = new CatalogRevision()
  const stop = subscribeToCatalogChanges(postgres.url, revision, { everyMs: 50, timeoutMs: 200 })
  await expect.poll(() => revision.isSubscribed).toBe(true)
  postgres.freeze()
  await expect.poll(() => revision.isSubscribed).toBe(false)
  postgres.thaw()
  await expect.poll(() => revision.isSubscribed).toBe(true)
  await stop()
})

it('every connection is taken: the next visitor gets an answer within three seconds', async () => {
  // A list that no earlier try has left in the cache.
  const list = `/api/products?page=${randomInt(3, 1000)}`
  const { promise: isOver, resolve: giveBack } = Promise.withResolvers<void>()
  const taken = Promise.all(jars.map(() => db.connection().execute(() => isOver)))
  try {
    const started = performance.now()
    expectAway(await shop.get(list), 'call')
    expect(performance.now() - started).toBeLessThan(3000)
  } finally {
    giveBack()
  }
  await taken
  expect((await shop.get(list)).status).toBe(200)
})

it('a product that stays locked: its buyers are told after three seconds, and nobody is lost', async () => {
  const blocker = new pg.Client({ connectionString: postgres.url })
  onTestFinished(() => blocker.end())
  await blocker.connect()
  await blocker.query('begin')
  // Buyers of one locked product share a connection; of four, they take all that there are.
  await blocker.query('select 1 from products where id = any($1) for update', [jars.map((jar) => jar.id)])
  const [token, run] = [await shop.token(), randomUUID()]
  const waiting = jars.map((jar, index) => shop.post('/customer-orders', order(jar), { key: `${run}-${index}`, token }))
  for (const answer of await Promise.all(waiting)) expectAway(answer, 'call')
  await blocker.query('rollback')
  expect((await shop.post('/customer-orders', order(), { key: `${run}-0` })).status).toBe(200)
})
