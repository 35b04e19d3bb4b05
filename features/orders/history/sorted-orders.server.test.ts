import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type KeysetPage, readListView, readPages } from '#lib/db/keyset.ts'
import { testDb } from '#test/db.ts'
import { rowsRead } from '#test/rows-read.ts'
import { buildUser } from '#test/factories.ts'
import { MAX_PRINTED, ORDER_SORTS, type OrderSort, readOrderFilter } from './list-query-rules.ts'
import { listOrderIds, listOrders, type OrderRow, ORDERS_PAGE } from './order-list.server.ts'

// The orders of the list: each sort in both directions, from both ends, with equal values and every size.

const { db } = await testDb()
const customer = await buildUser(db, { name: 'Rahim' })
// Equal totals, days and times, so that the id decides; ended and settled orders, whose shown total differs.
await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
  list_on, placed_at, view_key, tracking_code, status, reason, settlement_poisha)
  select ${customer.id}, case when n % 3 = 0 then 'Rahim' else 'Karim' end, '01711111111', 'x', n % 7 * 1000, 0, 0, n % 7 * 1000, 'full', 'NONE', 0, date '2026-01-01' + n % 5, timestamptz '2026-01-01' - n % 11 * interval '1 hour',
    'v' || n, 't' || n, case when n % 9 = 0 then 'cancelled' else 'placed' end, case when n % 9 = 0 then 'Double' end, n % 2 * 500
  from generate_series(1, 130) n`.execute(db)

const EXPECTED: Record<OrderSort, string> = {
  placed: 'placed_at desc, id desc',
  number: 'id desc',
  day: 'deliver_on desc, placed_at desc, id desc',
  sum: `case when status = 'cancelled' then total_poisha else total_poisha + settlement_poisha end desc, id desc`,
}
const idsBy = async (order: string, where = 'true') =>
  (await sql<{ id: number }>`select id from orders where ${sql.raw(where)} order by ${sql.raw(order)}`.execute(db)).rows.map(({ id }) => id)
const turned = (order: string) => order.replaceAll(' desc', ' asc')

async function walk(query: Record<string, string>, way: 'next' | 'prev'): Promise<number[][]> {
  const pages: number[][] = []
  let cursor: Record<string, string> | null = way === 'next' ? {} : { end: '1' }
  while (cursor) {
    const list: KeysetPage<OrderRow> = await listOrders(
      db,
      readOrderFilter(query),
      readListView({ ...query, ...cursor }, ORDER_SORTS, ORDERS_PAGE),
      'en',
    )
    pages.push(list.rows.map((row) => row.id))
    cursor = list[way]
  }
  return pages
}

describe.each(Object.keys(ORDER_SORTS) as OrderSort[])('sorted by %s', (sort) => {
  it.each(['asc', 'desc'] as const)('%s, all pages from both ends', async (order) => {
    const expected = await idsBy(order === 'desc' ? EXPECTED[sort] : turned(EXPECTED[sort]))
    const pages = await walk({ sort, order }, 'next')
    expect(pages.map((page) => page.length)).toEqual([25, 25, 25, 25, 25, 5])
    expect(pages.flat()).toEqual(expected)
    expect((await walk({ sort, order }, 'prev')).toReversed().flat()).toEqual(expected)
  })

  it('with filters, a search by name, other sizes, the print view and the export', async () => {
    const placed = await idsBy(EXPECTED[sort], `status = 'placed'`)
    expect((await walk({ sort, status: 'placed', rows: '50' }, 'next')).flat()).toEqual(placed)
    const named = await idsBy(turned(EXPECTED[sort]), `name = 'Rahim'`)
    expect((await walk({ sort, order: 'asc', q: 'Rahim', rows: '100' }, 'next')).flat()).toEqual(named)
    const view = readListView({ sort }, ORDER_SORTS, ORDERS_PAGE)
    const filter = readOrderFilter({ status: 'placed' })
    expect(await listOrderIds(db, filter, MAX_PRINTED, view)).toEqual(placed.slice(0, MAX_PRINTED))
    const exported: number[] = []
    for await (const rows of readPages(view, (page) => listOrders(db, filter, { ...page, size: 30 }, 'en')))
      exported.push(...rows.map(({ id }) => id))
    expect(exported).toEqual(placed)
  })

  it.each(['x', '1', '1~', 'x~1', '2026-02-30~1~1', '2026-01-01~x~1', "1~1'", `${'9'.repeat(40)}~1`, '1~2~3~4'])(
    'the cursor %j of another order or of nobody is the start of the list, or past it',
    async (after) => {
      const list = await listOrders(db, readOrderFilter({}), readListView({ sort, after }, ORDER_SORTS, ORDERS_PAGE), 'en')
      expect(list.count).toBe(130)
    },
  )
})

describe('what is none', () => {
  it.each([
    [{}, 'placed', 'desc', 25],
    [{ sort: 'name', order: 'up', rows: '1000' }, 'placed', 'desc', 25],
    [{ sort: 'constructor', rows: '0' }, 'placed', 'desc', 25],
    [{ sort: 'id; drop table orders', rows: '-25' }, 'placed', 'desc', 25],
    [{ sort: 'sum', order: 'asc', rows: '100' }, 'sum', 'asc', 100],
  ])('%j is the own order and size of the list', (query: Record<string, string>, sort, order, size) => {
    expect(readListView(query, ORDER_SORTS, ORDERS_PAGE)).toMatchObject({ sort, order, size })
  })
})

it('the newest orders of a customer are read alone, however old they are', async () => {
  const [regular, others] = [await buildUser(db), await buildUser(db)]
  await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
    list_on, placed_at, view_key, tracking_code)
    select case when n <= 1000 then ${regular.id}::bigint else ${others.id}::bigint end, 'Rahima', '01711111112', 'x', 0, 0, 0, 0, 'full', 'NONE', 0, date '2026-01-01',
      timestamptz '2025-01-01' + n * interval '1 minute', 'v', 'regular' || n
    from generate_series(1, 5000) n`.execute(db)
  await sql`analyze orders`.execute(db)
  const readBy = (sort: OrderSort) =>
    rowsRead(db, 'orders', async (tx) => {
      const view = readListView({ sort }, ORDER_SORTS, ORDERS_PAGE)
      const { rows } = await listOrders(tx, readOrderFilter({ user_id: String(regular.id) }), view, 'en')
      expect(rows.length).toBe(ORDERS_PAGE)
    })
  // The page, and the orders that are counted.
  expect(await readBy('placed')).toBeLessThan(2500)
  expect(await readBy('number')).toBeLessThan(2500)
})

describe.each(Object.keys(ORDER_SORTS) as OrderSort[])('amounts due sorted by %s', (sort) => {
  it.each([
    ['refund', 'amount_due(orders) < 0', 100],
    ['yes', 'amount_due(orders) > 0', -100],
  ])('%s is read alone, all pages from both ends', async (due, isDue, more) => {
    // Of 5,130 orders 35 placed ones; settled orders that have ended are others with a refund.
    await sql`update orders set ledger_balance_poisha = case when name = 'Karim' and status = 'placed' and id % 2 = 0 then total_poisha + ${more} else total_poisha end
      where status = 'placed'`.execute(db)
    await sql`analyze orders`.execute(db)
    const expected = await idsBy(EXPECTED[sort], isDue)
    expect(expected.length).toBeGreaterThan(ORDERS_PAGE)
    expect((await walk({ sort, due }, 'next')).flat()).toEqual(expected)
    expect((await walk({ sort, due }, 'prev')).toReversed().flat()).toEqual(expected)
    const view = readListView({ sort }, ORDER_SORTS, ORDERS_PAGE)
    const read = await rowsRead(db, 'orders', (tx) => listOrders(tx, readOrderFilter({ due }), view, 'en'))
    expect(read).toBeLessThan(700)
  })
})

describe.each(['number', 'day', 'sum'] as const)('filters that exclude each other, sorted by %s', (sort) => {
  it.each<[Record<string, string>, number]>([
    [{ status: 'delivered', source: 'legacy' }, 0],
    [{ status: 'returned', source: 'legacy' }, 30],
  ])('%j finds its orders without those of the shop', async (query, count) => {
    // A thousand delivered orders, and a source that all others have.
    await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
      list_on, placed_at, view_key, tracking_code, status, reason, source)
      select ${customer.id}, 'Rahim', '01711111111', 'x', 0, 0, 0, 0, 'full', 'NONE', 0, date '2025-01-01', timestamptz '2025-01-01' + n * interval '1 minute', 'v', 'apart' || n,
        case when n <= 30 then 'returned' when n % 20 = 0 then 'delivered' else 'completed' end, case when n <= 30 then 'Spoiled' end,
        case when n > 30 and n % 20 = 0 then 'admin' else 'legacy' end
      from generate_series(1, 20000) n on conflict (tracking_code) do nothing`.execute(db)
    await sql`analyze orders`.execute(db)
    const view = readListView({ sort }, ORDER_SORTS, ORDERS_PAGE)
    const read = await rowsRead(db, 'orders', async (tx) => {
      const { rows } = await listOrders(tx, readOrderFilter(query), view, 'en')
      expect(rows.length).toBe(Math.min(count, ORDERS_PAGE))
    })
    expect(read).toBeLessThan(5000)
    expect(await rowsRead(db, 'orders', (tx) => listOrderIds(tx, readOrderFilter(query), MAX_PRINTED, view))).toBeLessThan(5000)
  })
})

it('the file of a common name reads the orders of the shop once, not those of the name for each of its pages', async () => {
  await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
    list_on, placed_at, view_key, tracking_code)
    select ${customer.id}, case when n % 7 = 0 then 'Zulekha' else 'Karim' end, '01711111111', 'x', 0, 0, 0, 0, 'full', 'NONE', 0, date '2024-01-01',
      timestamptz '2024-01-01' + n * interval '1 minute', 'v', 'common' || n
    from generate_series(1, 40000) n`.execute(db)
  await sql`vacuum analyze orders`.execute(db)
  const view = readListView({}, ORDER_SORTS, ORDERS_PAGE)
  const exported: number[] = []
  const read = await rowsRead(db, 'orders', async (tx) => {
    for await (const rows of readPages(view, (page) => listOrders(tx, readOrderFilter({ q: 'Zulekha' }), page, 'en')))
      exported.push(...rows.map(({ id }) => id))
  })
  expect(exported).toEqual(await idsBy('placed_at desc, id desc', `name = 'Zulekha'`))
  expect(read).toBeLessThan(60_000)
})
