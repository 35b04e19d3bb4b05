import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { openDb, type Db } from '#lib/db/db.server.ts'
import { MIGRATIONS_DIR } from '#scripts/schema/migration-checksums.ts'
import { migrate } from '#server/migrate.ts'
import { LONG_TIMEOUTS } from '#test/clone.ts'
import { newDatabase } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody, orderBodyByKey } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { shared } from '#test/shared.ts'
import { type ShopProcess, startShopProcess } from '#test/shop-process.ts'
import { Visitor } from '#test/visitor.ts'

// An upgrade while a process of the version before takes orders: the next release's migration expands the tables that it uses. A device at
// the counter has its page and an unsent sale from before.

const EXPAND = `
alter table orders add column gift_note text;
alter table order_lines add column gift boolean not null default false;
alter table products add column shelf_life_days int;
select watch_product_columns();
alter table users add column nickname text;
alter table sessions add column last_place text;
alter table settings add column changed_by bigint;
create table gift_cards (id bigint generated always as identity primary key, order_id bigint references orders (id));
create index orders_gift_note on orders (gift_note) where gift_note is not null;
do $$ declare f text; begin
  -- Functions are replaced as by a release that changes their bodies.
  for f in select pg_get_functiondef(oid) from pg_proc where proname in ('insert_orders', 'insert_pos_sales', 'sync_order_stock') loop
    execute f;
  end loop;
end $$;
`

await shared('pages')
let [db, url]: [Db, string] = [null!, '']
let dataDir: string
let shop: ShopProcess

/** A second try begins with the version before too. */
beforeEach(async () => {
  const database = await newDatabase()
  url = database.url
  const opened = openDb(url, { max: 4, ...LONG_TIMEOUTS })
  db = opened.db
  dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-upgrade-'))
  shop = await startShopProcess({ databaseUrl: url, dataDir })
  return async () => {
    await shop.stop()
    await opened.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** A slow machine holds a lock of the migration for several tries. */
const MAX_TRIES = 20

async function nextRelease(): Promise<string> {
  const dir = path.join(dataDir, 'migrations')
  await cp(MIGRATIONS_DIR, dir, { recursive: true })
  await writeFile(path.join(dir, '9999_expand.sql'), EXPAND)
  return dir
}

it('a migration that expands does not disturb the version before it: orders, sales, lists and pages go on', async () => {
  const area = await buildArea(db, { produce: 80 })
  const honey = await buildProduct(db, { unit: 'piece', stock_milli: 900_000 })
  const stock = await countStock(db)
  const cashier = new Visitor(shop.url)
  await cashier.signIn((await buildUser(db, { role: 'manager' })).phone)
  expect((await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })).status).toBe(200)
  const visitor = new Visitor(shop.url, { storesCookies: false })
  const html = { accept: 'text/html' }
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const sale = (key: string) => {
    const body = {
      products: [{ id: honey.id, quantity: 1, price: 120 }],
      transactions: { cash: 120 },
      total: 120,
      customer: { phone: '01710000001' },
    }
    return cashier.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': key } })
  }
  const unsent = 'sale-before-the-upgrade'
  expect((await sale(unsent)).status).toBe(200)

  const bodyOf = orderBodyByKey(() => orderBody(area.id, [[honey.id, 1]], cash))
  const order = (key: string) => visitor.post('/customer-orders', bodyOf(key), { key })

  let [isOver, sent] = [false, 0]
  const keyed = (send: (key: string) => Promise<{ status: number }>) => () => {
    const key = `under-load-number-${(sent += 1)}`
    return () => send(key)
  }
  const answers: Record<string, Record<number, number>> = {}
  const repeat = async (name: string, next: () => () => Promise<{ status: number }>) => {
    const counts: Record<number, number> = (answers[name] = {})
    while (!isOver) {
      const send = next()
      let { status } = await send()
      // A statement that meets a lock of the migration may be cancelled: a device sends it again under its key.
      for (let tries = 1; status === 503 && tries < MAX_TRIES; tries++) ({ status } = await send())
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  const load = Promise.all([
    repeat('orders', keyed(order)),
    repeat('more orders', keyed(order)),
    repeat('sales', keyed(sale)),
    repeat('list', () => () => cashier.get('/admin/orders', html)),
    repeat('products', () => () => cashier.get('/admin/products', html)),
    repeat('pages', () => () => visitor.get('/cart', html)),
  ])
  const enough = (more: number) =>
    expect.poll(() => Math.min(...Object.values(answers).map((counts) => counts[200] ?? 0)), { interval: 20 }).toBeGreaterThan(more)
  try {
    await enough(5)
    expect(await migrate(url, { dir: await nextRelease() })).toEqual({ applied: ['9999_expand'] })
    const before = Math.max(...Object.values(answers).map((counts) => counts[200] ?? 0))
    await enough(Math.min(before, 5) + 10)
  } finally {
    isOver = true
    await load
  }

  expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((name) => [name, { 200: expect.any(Number) }])))
  // The device sends its sale again: it was stored before the upgrade, and is stored once.
  expect((await sale(unsent)).status).toBe(200)
  const { rows } = await sql<{ orders: number; sales: number }>`select count(*) filter (where s.order_id is null)::int as orders,
    count(s.order_id)::int as sales from orders o left join pos_sales s on s.order_id = o.id`.execute(db)
  expect(rows).toEqual([{ orders: answers.orders![200]! + answers['more orders']![200]!, sales: answers.sales![200]! + 1 }])
  await expectInvariants(db, stock)
}, 120_000)
