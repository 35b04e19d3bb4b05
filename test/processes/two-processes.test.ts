import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { shared } from '#test/shared.ts'
import { startShopProcess } from '#test/shop-process.ts'
import { Visitor } from '#test/visitor.ts'

// Two processes on one database: a change by one invalidates the cached pages of the other.

await shared('pages')
const { db, url } = await testDb()
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const mango = await buildProduct(db)
const cow = await buildAnimal(db)

const SESSION_SECRET = 'one secret for both of the processes'
const shops = await Promise.all(
  [0, 1].map(async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-twin-'))
    const shop = await startShopProcess({ databaseUrl: url, dataDir, env: { SESSION_SECRET } })
    return { ...shop, dataDir, visitor: new Visitor(shop.url, { keepsCookies: false }) }
  }),
)
const [here, there] = [shops[0]!.visitor, shops[1]!.visitor]
afterAll(async () => {
  for (const { stop, dataDir } of shops) {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

const AT_ONCE = { interval: 5, timeout: 1000 }
type Listing = { products: { id: number; price: number; status: string }[] }
const onPage = async (visitor: Visitor, id: number) => {
  const list = JSON.parse((await visitor.get('/api/products')).text) as Listing
  const page = pageProps<{ listing: Listing }>((await visitor.get('/', { accept: 'text/html' })).text).listing
  return [list, page].flatMap(({ products }) =>
    products.filter((product) => product.id === id).flatMap(({ price, status }) => [price, status]),
  )
}

it('a price changed by one invalidates the other’s cached pages', async () => {
  expect([await onPage(here, mango.id), await onPage(there, mango.id)]).toEqual([
    [120, 'in-stock', 120, 'in-stock'],
    [120, 'in-stock', 120, 'in-stock'],
  ])
  await sql`update products set price_poisha = 15000 where id = ${mango.id}`.execute(db)
  await expect.poll(() => onPage(there, mango.id), AT_ONCE).toEqual([150, 'in-stock', 150, 'in-stock'])
  await expect.poll(() => onPage(here, mango.id), AT_ONCE).toEqual([150, 'in-stock', 150, 'in-stock'])
})

it('an order in one puts the animal on hold in the other', async () => {
  expect(await onPage(there, cow.id)).toMatchObject([110_000, 'in-stock', 110_000, 'in-stock'])
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
