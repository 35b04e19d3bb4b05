import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, buildUser, orderBody, orderBodyByKey } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { shared } from '#test/shared.ts'
import { startShopProcess } from '#test/shop-process.ts'
import { type Answer, Visitor } from '#test/visitor.ts'

// Three processes on one database: a change by one is visible in all, and a killed one loses nothing.

await shared('pages')
const { db, url } = await testDb()
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const mango = await buildProduct(db)

const SESSION_SECRET = 'one secret for all of the processes'
async function startOne() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-several-'))
  const shop = await startShopProcess({ databaseUrl: url, dataDir, env: { SESSION_SECRET } })
  return { ...shop, dataDir, visitor: new Visitor(shop.url, { storesCookies: false }) }
}
const shops = await Promise.all([startOne(), startOne(), startOne()])
const [here, there] = [shops[0]!.visitor, shops[1]!.visitor]
afterAll(async () => {
  for (const { stop, dataDir } of shops) {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

const html = { accept: 'text/html' }
/** Long before cached pages expire, after 30 seconds. */
const AT_ONCE = { interval: 5, timeout: 15_000 }
type Listing = { products: { id: number; price: number; status: string }[] }
const onPage = async (visitor: Visitor, id: number) => {
  const list = JSON.parse((await visitor.get('/api/products')).text) as Listing
  const page = pageProps<{ listing: Listing }>((await visitor.get('/', { accept: 'text/html' })).text).listing
  return [list, page].flatMap(({ products }) =>
    products.filter((product) => product.id === id).flatMap(({ price, status }) => [price, status]),
  )
}

it('a price changed by one invalidates the other’s cached pages', async () => {
  const { id } = await buildProduct(db)
  for (const price of [120, 150]) {
    await sql`update products set price_poisha = ${price * 100} where id = ${id}`.execute(db)
    for (const visitor of [there, here])
      await expect.poll(() => onPage(visitor, id), AT_ONCE).toEqual([price, 'in-stock', price, 'in-stock'])
  }
})

it('an order in one puts the animal on hold in the other', async () => {
  const cow = await buildAnimal(db)
  await expect.poll(() => onPage(there, cow.id), AT_ONCE).toEqual([110_000, 'in-stock', 110_000, 'in-stock'])
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000 }
  expect((await here.post('/customer-orders', orderBody(area.id, [[cow.id, 1]], advance))).status).toBe(200)
  // In its own process there is no moment in which the old page is still shown.
  expect(await onPage(here, cow.id)).toEqual([110_000, 'hold', 110_000, 'hold'])
  await expect.poll(() => onPage(there, cow.id), AT_ONCE).toEqual([110_000, 'hold', 110_000, 'hold'])
})

it('both give the same answer the same tag, so that a visitor may be sent to either', async () => {
  const [one, other] = [await here.get('/api/products'), await there.get('/api/products')]
  expect(other.headers.etag).toBe(one.headers.etag)
  expect((await there.get('/api/products', { 'if-none-match': String(one.headers.etag) })).status).toBe(304)
})

it('30 buyers at each, one cow: one order; a price that has just changed is never charged at its old figure', async () => {
  const last = await buildAnimal(db)
  const before = await countStock(db)
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000 }
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      (index % 2 ? here : there).post('/customer-orders', orderBody(area.id, [[last.id, 1]], advance)),
    ),
  )
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array(59).fill(410)])

  await sql`update products set price_poisha = 20000 where id = ${mango.id}`.execute(db)
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', expected_total: 230 }
  const stale = await there.post('/customer-orders', orderBody(area.id, [[mango.id, 1]], cash))
  expect([stale.status, stale.body.total]).toEqual([422, 280])
  await expectInvariants(db, before)
})

/** The same browser at every process: cookies are shared by a load balancer's address. */
function browserEverywhere(): Visitor[] {
  const browsers = shops.map(({ url }) => new Visitor(url))
  for (const browser of browsers.slice(1)) Object.assign(browser, { cookies: browsers[0]!.cookies })
  return browsers
}

it('a session begins and ends in all at once', async () => {
  const { phone } = await buildUser(db, { role: 'manager' })
  const [first, second] = browserEverywhere() as [Visitor, Visitor]
  await first.signIn(phone)
  expect((await second.get('/admin/orders', html)).status).toBe(200)
  const stolen = new Map(first.cookies)
  await first.signOut()
  for (const [name, value] of stolen) second.cookies.set(name, value)
  expect((await second.get('/admin/orders', html)).status).toBe(303)
})

it('a changed setting is shown by all at once', async () => {
  await sql`insert into settings (key, value) values ('announcement', '{"en": "Sold everywhere", "bn": "Sold everywhere"}')
    on conflict (key) do update set value = excluded.value`.execute(db)
  for (const { visitor } of shops) await expect.poll(async () => (await visitor.get('/', html)).text, AT_ONCE).toContain('Sold everywhere')
})

it('a process that is killed while 300 buyers want one cow: one is sold, and the one who was told so has it', async () => {
  const last = await buildAnimal(db)
  const before = await countStock(db)
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000 }
  const doomed = await startOne()
  onTestFinished(doomed.kill)
  const three = [shops[0]!, shops[1]!, doomed]
  const attempt = randomUUID()
  const bodyOf = orderBodyByKey(() => orderBody(area.id, [[last.id, 1]], advance))
  const buy = (index: number, at: number) => {
    const key = `buyer-${index}-${attempt}`
    return three[at]!.visitor.post('/customer-orders', bodyOf(key), { key })
  }
  const buyUntilAnswered = async (index: number): Promise<Answer> => {
    const answer = await buy(index, index % 2)
    return answer.status < 500 ? answer : buyUntilAnswered(index)
  }

  // All requests wait for the cow until the lock is released: the process is killed in the middle of its orders.
  const blocker = new pg.Client({ connectionString: url })
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('select 1 from products where id = $1 for update', [last.id])
  const first = Promise.allSettled(Array.from({ length: 300 }, (_, index) => buy(index, index % 3)))
  // Orders of two processes at least wait in the database, the others in their queues. On a slow machine the wait of one may end early.
  await expect.poll(() => waitingStatements(), { interval: 10 }).toBeGreaterThan(1)
  await doomed.kill()
  await rm(doomed.dataDir, { recursive: true, force: true })
  await blocker.query('commit')
  await blocker.end()

  // A device whose request failed sends it again under its key, to a process that lives.
  const answers = await Promise.all(
    (await first).map((sent, index) => (sent.status === 'fulfilled' && sent.value.status < 500 ? sent.value : buyUntilAnswered(index))),
  )
  expect((await first).some(({ status }) => status === 'rejected')).toBe(true)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(299).fill(410)])
  const { rows } = await sql<{ order_id: number }>`select order_id from animal_holds where product_id = ${last.id}`.execute(db)
  expect(rows).toEqual([{ order_id: answers.find(({ status }) => status === 200)?.body.order_id }])
  await expectInvariants(db, before)
})

/** Statements that wait for a lock. */
async function waitingStatements(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.n ?? 0
}
