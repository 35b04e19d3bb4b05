import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { MAX_COUNTED, parseCursor } from '#lib/db/keyset.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { readOrderFilter, readSearch } from './list-query-rules.ts'
import { listOrderIds, listOrders, ORDERS_PAGE } from './order-list.server.ts'
import { signedIn, storeBody } from '../testing/admin-shop.ts'

// The list of orders: every filter, search, and paging from both ends.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [north, south] = [await buildArea(db, { produce: 80, cattle: 1500 }), await buildArea(db, { produce: 80 })]
let manager = await signedIn(shop, 'manager')
const [mango, cow] = [await buildProduct(db, { price_poisha: 10_000 }), await buildAnimal(db, { tag_number: 'B-203' })]

async function take(at: string, body: Record<string, unknown>, products: [number, number][] = [[mango.id, 1]]): Promise<number> {
  shop.clock.now = new Date(at)
  // A session ends when it is idle for longer than these orders are apart.
  manager = await signedIn(shop, 'manager')
  const answer = await manager.post('/admin/orders/store', storeBody(north.id, products, body))
  if (!answer.body.order_id) throw new Error(answer.text)
  return answer.body.order_id
}
const rahim = await take('2026-11-18T06:00:00Z', { name: 'Rahim Uddin', phone: '01711111111' })
const rohima = await take('2026-11-18T18:30:00Z', { name: 'রহিমা খাতুন', phone: '01711111122', area_id: south.id })
const karim = await take('2026-11-19T06:00:00Z', { name: 'Karim Chowdhury', phone: '01822222222' }, [[cow.id, 1]])
const gone = await take('2026-11-19T07:00:00Z', { name: 'Jamil', phone: '01711111111', status: 'cancelled', reason: 'Double' })
const paid = await take('2026-11-19T08:00:00Z', { name: 'Mizanur Rahman', phone: '01933333333', status: 'delivered' })
await sql`insert into ledger_entries (order_id, kind, method, amount_poisha) values (${paid}, 'cash_on_delivery', 'cash', 18000), (${gone}, 'advance', 'cash', 500)`.execute(
  db,
)
await sql`update orders set needs_attention = 'paid-after-end' where id = ${gone}`.execute(db)
const customer = (await sql<{ id: number }>`select customer_id as id from orders where id = ${rahim}`.execute(db)).rows[0]!.id

const find = async (query: Record<string, string>) => {
  const list = await listOrders(db, readOrderFilter(query), parseCursor(query, 2), 'en')
  const ids = list.rows.map((row) => row.id)
  if (list.count !== null) expect(list.count).toBe(ids.length)
  // The print view has the orders of the list. Searches by name have no count and no print view.
  const printed = await listOrderIds(db, readOrderFilter(query), 2)
  expect(printed).toEqual(list.count === null ? [] : ids.slice(0, 2))
  return ids
}

describe('filters', () => {
  it.each<[Record<string, string>, number[]]>([
    [{}, [paid, gone, karim, rohima, rahim]],
    [{ status: 'delivered' }, [paid]],
    [{ status: 'placed' }, [karim, rohima, rahim]],
    [{ user_id: String(customer) }, [gone, rahim]],
    [{ user_id: String(customer), status: 'cancelled' }, [gone]],
    [{ area_id: String(south.id) }, [rohima]],
    [{ source: 'admin' }, [paid, gone, karim, rohima, rahim]],
    [{ source: 'pos' }, []],
    [{ due: 'yes' }, [karim, rohima, rahim]],
    [{ due: 'yes', status: 'cancelled' }, []],
    [{ due: 'refund' }, [gone]],
    [{ attention: '1' }, [gone]],
    // In Dhaka the date is the 19th.
    [{ from: '2026-11-19' }, [paid, gone, karim, rohima]],
    [{ to: '2026-11-18' }, [rahim]],
    [{ from: '2026-11-19', to: '2026-11-18' }, []],
    [{ list_on: '2026-11-20' }, [paid, gone, karim, rohima]],
    // Late excludes orders of the day itself, and delivered or cancelled ones.
    [{ late_on: '2026-11-20' }, [rahim]],
    [{ late_on: '2026-11-21' }, [karim, rohima, rahim]],
    [{ late_on: '2026-11-21', status: 'processing' }, []],
    [{ late_on: 'yesterday' }, [paid, gone, karim, rohima, rahim]],
    [
      { status: 'paid', area_id: 'x', user_id: '-1', from: 'yesterday', due: 'maybe', source: 'fax', list_on: '2026-02-30' },
      [paid, gone, karim, rohima, rahim],
    ],
    [{ list_on: '0000-01-01', from: '0000-01-01', to: '9999-12-31' }, [paid, gone, karim, rohima, rahim]],
  ])('%j', async (query, ids) => {
    expect(await find(query)).toEqual(ids)
  })
})

describe('search', () => {
  it.each<[string, number[]]>([
    ['01711111111', [gone, rahim]],
    ['+880 1711-111111', [gone, rahim]],
    ['০১৭১১১১১১১১', [gone, rahim]],
    ['1711111111', [gone, rahim]],
    ['017111', [gone, rohima, rahim]],
    [String(karim), [karim]],
    [`#${karim}`, [karim]],
    ['999999', []],
    ['b-203', [karim]],
    ['B-203', [karim]],
    ['b203', [karim]],
    ['বি-২০৩', [karim]],
    ['বি ২০৩', [karim]],
    ['rahim', [paid, rohima, rahim]],
    ['রহিম', [paid, rohima, rahim]],
    ['rahim uddin', [rahim]],
    ['উদ্দিন', [rahim]],
    ['চৌধুরী', [karim]],
    ['mizan', [paid]],
    ['khatun', [rohima]],
    ["'; drop table orders", []],
    ['%', []],
    ['   ', [paid, gone, karim, rohima, rahim]],
    ['\u0000', [paid, gone, karim, rohima, rahim]],
    ['a'.repeat(5000), []],
  ])('%s', async (q, ids) => {
    expect(await find({ q })).toEqual(ids)
  })
  it('and filters are combined', async () => {
    expect(await find({ q: 'rahim', status: 'delivered' })).toEqual([paid])
  })
  it.each([
    ['12', { by: 'number', id: 12, tags: ['12'] }],
    ['1712345678', { by: 'phone', from: '01712345678', to: '01712345678' }],
    ['8801712345678', { by: 'phone', from: '01712345678', to: '01712345678' }],
    ['8801', { by: 'number', id: 8801, tags: ['8801'] }],
    ['01', null],
    ['K-101', { by: 'words', text: 'K-101', tags: ['K-101'] }],
  ])('reads %s', (typed, read) => expect(readSearch(typed)).toEqual(read ?? { by: 'words', text: '01', tags: ['01'] }))
})

describe('paging', () => {
  it('reaches all orders from both ends, also those with equal times', async () => {
    shop.clock.now = new Date('2026-11-20T06:00:00Z')
    manager = await signedIn(shop, 'manager')
    for (let made = 0; made < ORDERS_PAGE * 2; made++)
      await manager.post('/admin/orders/store', storeBody(north.id, [[mango.id, 1]], { name: 'Page', phone: '01655555555' }))
    const all = (await sql<{ id: number }>`select id from orders order by placed_at desc, id desc`.execute(db)).rows.map((row) => row.id)
    const walk = async (start: Record<string, string>, way: 'next' | 'prev') => {
      const seen: number[][] = []
      let query: Record<string, string> | null = start
      while (query) {
        const list = await listOrders(db, readOrderFilter({}), parseCursor(query, 2), 'en')
        seen.push(list.rows.map((row) => row.id))
        query = list[way]
      }
      return seen
    }
    expect((await walk({}, 'next')).flat()).toEqual(all)
    expect((await walk({ end: '1' }, 'prev')).toReversed().flat()).toEqual(all)
  })

  it('an invalid cursor shows the first page; counting stops at a thousand', async () => {
    for (const after of ['x~y', '1~', '9'.repeat(40), '1~9e99', "1~1'"])
      expect((await listOrders(db, readOrderFilter({}), parseCursor({ after }, 2), 'en')).rows.length).toBeGreaterThan(0)
    await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
      list_on, placed_at, view_key, tracking_code) select ${customer}, 'Many', '01711111111', 'x', 0, 0, 0, 0, 'full', 'NONE', 0, '2026-01-01', '2026-01-01', 'x' || n, 'many' || n
      from generate_series(1, 1100) n`.execute(db)
    expect((await listOrders(db, readOrderFilter({}), parseCursor({}, 2), 'en')).count).toBe(MAX_COUNTED + 1)
  })
})
