import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { IDLE_MINUTES } from '#features/auth/lock-rules.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { rowsRead } from '#test/rows-read.ts'
import type { Visitor } from '#test/visitor.ts'
import { listNews } from './queries.server.ts'
import { MAX_NEWS_IDS, type News } from './rules.ts'

// What open admin pages ask every few seconds: new orders, advances, bookings, failed SMS, reviews, requests for areas.

// Statements sent to the database, from before the first connection.
const statements: string[] = []
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function counted(this: pg.Client, ...args: unknown[]) {
  const first = args[0] as string | { text: string }
  statements.push(typeof first === 'string' ? first : first.text)
  return query.apply(this, args) as never
} as never)
// Other test files of this process use the same class.
afterAll(() => void vi.restoreAllMocks())

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const mango = await buildProduct(db)
afterAll(() => expect(shop.failures).toEqual([]))

type Answer = { version: string; news: Partial<News> }

const ask = async (client: Visitor, version?: string) => {
  const answer = await client.get('/api/admin/news', version ? { 'if-none-match': `"${version}"` } : {})
  return { ...answer, body: answer.body as Partial<Answer> }
}
const order = async () => {
  const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[mango.id, 1]]))
  if (!body.order_id) throw new Error(text)
  return body.order_id
}

describe('who asks', () => {
  it('gets the kinds of the role, and nothing without a session', async () => {
    const kinds = async (role: 'owner' | 'sales' | 'cashier') =>
      Object.keys((await ask(await signedIn(shop, role))).body.news ?? { none: true })
    expect(await kinds('owner')).toEqual(['orders', 'advances', 'bookings', 'sms', 'reviews', 'area-requests'])
    expect(await kinds('sales')).toEqual(['orders', 'advances', 'bookings', 'sms', 'area-requests'])
    expect(await kinds('cashier')).toEqual([])
    expect((await ask(shop.visitor())).status).toBe(401)
    expect((await ask(await signedIn(shop, 'customer'))).status).toBe(403)
  })
})

describe('what is new', () => {
  it('has web orders alone, the newest first, and of other kinds what waits', async () => {
    const [first, second, third] = [await order(), await order(), await order()]
    await sql`update orders set source = 'admin' where id = ${second}`.execute(db)
    await sql`insert into advance_reports (order_id, method, transaction_id, amount_poisha, state, decided_at)
      values (${first}, 'bkash', 'AAA111', 100, 'waiting', null), (${first}, 'bkash', 'BBB222', 100, 'verified', now())`.execute(db)
    await sql`insert into kurbani_bookings (name, phone, price_range, state)
      values ('Rahim', '01712345678', '1', 'new'), ('Karim', '01712345679', '1', 'called')`.execute(db)
    await sql`insert into sms_outbox (purpose, template, phone, body, state)
      values ('a', 'x', '01712345678', 'b', 'failed'), ('b', 'x', '01712345678', 'b', 'submitted'), ('c', 'x', '01712345678', 'b', 'unknown')`.execute(
      db,
    )
    await sql`insert into area_requests (name, phone, place, requested_on) values ('Rahim', '01712345678', 'Savar', now())`.execute(db)
    const news = await listNews(db)
    expect(news.orders.slice(0, 2)).toEqual([third, first])
    expect([news.advances.length, news.bookings.length, news.reviews.length, news['area-requests'].length]).toEqual([1, 1, 0, 1])
    const { rows } = await sql<{
      state: string
    }>`select state from sms_outbox where id = any(${news.sms}::bigint[]) order by id desc`.execute(db)
    expect(rows).toEqual([{ state: 'unknown' }, { state: 'failed' }])
  })

  it('stops at so many ids, and reads them from indexes among many rows', async () => {
    await sql`insert into kurbani_bookings (name, phone, price_range, state)
      select 'Rahim', '01712345678', '1', case when n % 100 = 0 then 'new' else 'closed' end from generate_series(1, 20000) n`.execute(db)
    await sql`analyze kurbani_bookings`.execute(db)
    expect((await listNews(db)).bookings).toHaveLength(MAX_NEWS_IDS)
    const { rows } = await sql<{
      plan: string
    }>`explain select id from kurbani_bookings where state = 'new' order by id desc limit 50`.execute(db)
    expect(JSON.stringify(rows)).toContain('kurbani_bookings_state')
  })
})

describe('an unchanged poll', () => {
  it('is a 304 without a body, and runs no statement but the one that reads the session', async () => {
    const [owner, sales] = [await signedIn(shop, 'owner'), await signedIn(shop, 'sales')]
    await vi.waitFor(
      async () => {
        const { version } = (await ask(owner)).body
        const { version: otherVersion } = (await ask(sales)).body
        expect(otherVersion).not.toBe(version)
        statements.length = 0
        const answer = await ask(owner, version)
        const other = await ask(sales, otherVersion)
        expect([answer.status, answer.text, answer.headers['content-length'], answer.headers['cache-control']]).toEqual([
          304,
          '',
          undefined,
          'no-store',
        ])
        expect([other.status, (await ask(owner, otherVersion)).status]).toEqual([304, 200])
        // Three requests, each with its session; the news come from memory.
        expect(statements.map((text) => text.includes('from unnest') && text.includes('sessions'))).toEqual([true, true, true])
      },
      { timeout: 20_000 },
    )
  })

  it('learns of a new order after a few seconds', async () => {
    const owner = await signedIn(shop, 'owner')
    const { version } = (await ask(owner)).body
    const id = await order()
    await vi.waitFor(
      async () => {
        const answer = await ask(owner, version)
        expect([answer.status, answer.body.news?.orders?.[0]]).toEqual([200, id])
      },
      { timeout: 20_000, interval: 500 },
    )
  })

  it('does not keep an idle session open', async () => {
    const sales = await signedIn(shop, 'sales')
    const before = shop.clock.now
    const after = (minutes: number) => void (shop.clock.now = new Date(before.getTime() + minutes * 60_000))
    for (const minutes of [6, 12, 18, 24]) {
      after(minutes)
      expect((await ask(sales)).status).toBe(200)
    }
    after(IDLE_MINUTES + 1)
    expect((await ask(sales)).status).toBe(401)
    shop.clock.now = before
  })
})

it('pre-bookings whose customers ordered by themselves are read up to a limit', async () => {
  const cow = await buildAnimal(db, { category_id: (await buildCategory(db, { key: 'kurbani' })).id })
  await sql`insert into kurbani_bookings (name, phone, price_range, created_at)
    select 'Cow buyer', '016' || lpad(n::text, 8, '0'), '50000-80000', now() - interval '1 day' from generate_series(1, 900) n`.execute(db)
  await sql`with placed as (insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type,
      payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code, source)
    select (select min(customer_id) from orders), 'Cow buyer', phone, 'x', 1000, 0, 0, 1000, 'full', 'NONE', 0, current_date, now(), 'v', 'cow' || phone, 'admin'
    from kurbani_bookings where name = 'Cow buyer' returning id)
    insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha)
    select id, 1, ${cow.id}, 'x', 'x', 'piece', 1000, 1000, 1000, 1000 from placed`.execute(db)
  await sql`vacuum analyze orders, order_lines, kurbani_bookings, products`.execute(db)
  const read = await rowsRead(db, 'order_lines', async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    await listNews(tx)
  })
  expect(read).toBeLessThan(300)
})
