import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildCategory, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { rowsRead } from '#test/rows-read.ts'
import { type CustomerList, listCounted, listCustomers } from './customer-list.server.ts'
import { readCustomerFilter } from './list-query-rules.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const sales = shop.visitor()
await sales.signIn((await buildUser(db, { role: 'sales' })).phone)

const [savar, dhaka] = [await buildArea(db, { produce: 80 }), await buildArea(db, { produce: 80 })]
const [fruits, cane] = [await buildCategory(db), await buildCategory(db)]
const [mango, sugarcane] = [await buildProduct(db, { category_id: fruits.id }), await buildProduct(db, { category_id: cane.id })]

async function ordered(name: string, areaId: number, productId: number, change: { day: string; status?: string; paid?: boolean }) {
  const phone = (await buildUser(db, { name })).phone
  const body = orderBody(areaId, [[productId, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  body.customer.phone = phone
  const { order_id: id } = (await shop.visitor().post('/customer-orders', body)).body
  await sql`update orders set placed_at = ${`${change.day}T12:00:00+06:00`}::timestamptz, status = ${change.status ?? 'processing'}, reason = ${change.status ? 'Changed their mind' : ''},
    ledger_balance_poisha = case when ${change.paid === true} then total_poisha else 0 end where id = ${id}`.execute(db)
}
await ordered('Mango in Savar, due', savar.id, mango.id, { day: '2026-05-01' })
await ordered('Mango in Savar, paid', savar.id, mango.id, { day: '2026-06-01', paid: true })
await ordered('Cane in Dhaka, due', dhaka.id, sugarcane.id, { day: '2026-07-01' })
await ordered('Mango cancelled', savar.id, mango.id, { day: '2026-07-02', status: 'cancelled' })
await buildUser(db, { name: 'Never ordered' })

const list = async (query: string) =>
  pageProps<{ list: CustomerList }>((await sales.get(`/admin/customers?${query}`, { accept: 'text/html' })).text).list
const names = async (query: string) => (await list(query)).rows.map(({ name }) => name).sort()

describe('segments of customers', () => {
  it.each([
    [`category_id=${fruits.id}`, ['Mango in Savar, due', 'Mango in Savar, paid']],
    [`product_id=${mango.id}`, ['Mango in Savar, due', 'Mango in Savar, paid']],
    [`product_id=${mango.id}&category_id=${cane.id}`, []],
    [`area_id=${dhaka.id}`, ['Cane in Dhaka, due']],
    ['quiet_since=2026-06-01', ['Mango in Savar, due', 'Never ordered']],
    ['quiet_since=2026-06-02', ['Mango in Savar, due', 'Mango in Savar, paid', 'Never ordered']],
    ['due=yes', ['Cane in Dhaka, due', 'Mango in Savar, due']],
    [`category_id=${fruits.id}&area_id=${savar.id}&quiet_since=2026-07-01&due=yes`, ['Mango in Savar, due']],
    [`category_id=${fruits.id}&area_id=${dhaka.id}`, []],
    ['due=yes&q=Mango', ['Mango in Savar, due']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
    expect((await list(query)).count).toBe(expected.length)
  })

  it('invalid values filter nothing', async () => {
    for (const query of [
      '',
      'category_id=x',
      'product_id=0',
      'area_id=-1',
      'area_id=99999999999',
      'quiet_since=2026-02-31',
      'due=no',
      "category_id=1'--",
    ])
      expect([query, (await names(query)).length, (await list(query)).count]).toEqual([query, 5, null])
    for (const name of ['category_id', 'product_id', 'area_id']) expect(await names(`${name}=999999999`)).toEqual([])
  })

  it('the file has the same customers', async () => {
    const { text } = await sales.get('/admin/customers/export?due=yes')
    expect(text.trim().split('\n')).toHaveLength(3)
  })
})

it('debtors are found from the orders with an amount due, among many customers', async () => {
  await sql`insert into users (name, phone) select 'Paid', '019' || lpad(n::text, 8, '0') from generate_series(1, 3000) n`.execute(db)
  await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
    list_on, placed_at, view_key, tracking_code, ledger_balance_poisha)
    select id, 'Paid', '01911111111', 'x', 1000, 0, 0, 1000, 'full', 'NONE', 0, date '2026-01-01', now(), 'v', 'paid' || id, 1000 from users where name = 'Paid'`.execute(
    db,
  )
  await sql`analyze orders, users`.execute(db)
  const view = { backward: false, from: null }
  const read = (table: string) =>
    rowsRead(db, table, async (tx) => {
      const { rows, count } = await listCounted(tx, readCustomerFilter({ due: 'yes' }), view)
      expect([rows.length, count]).toEqual([2, 2])
    })
  expect(await read('orders')).toBeLessThan(30)
  expect(await read('users')).toBeLessThan(30)
})

it('buyers of a category with few orders are found from its order lines, among many customers', async () => {
  const [rare, usual] = [await buildCategory(db), await buildCategory(db)]
  const [cow, rice] = [await buildProduct(db, { category_id: rare.id }), await buildProduct(db, { category_id: usual.id })]
  // The buyers are the oldest customers, so that they are the last of the list.
  await sql`insert into users (name, phone) select 'Buyer', '016' || lpad(n::text, 8, '0') from generate_series(1, 3000) n`.execute(db)
  await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
    list_on, placed_at, view_key, tracking_code)
    select id, 'Buyer', phone, 'x', 1000, 0, 0, 1000, 'full', 'NONE', 0, date '2026-01-01', now(), 'v', 'buyer' || id from users where name = 'Buyer'`.execute(
    db,
  )
  await sql`insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha)
    select o.id, 1, case when row_number() over (order by o.id) <= 3 then ${cow.id}::bigint else ${rice.id}::bigint end, 'x', 'x', 'kg', 1000, 1000, 1000, 1000
    from orders o where o.name = 'Buyer'`.execute(db)
  await sql`analyze orders, order_lines, users, products`.execute(db)
  for (const sort of ['new', 'name'] as const) {
    const read = (table: string) =>
      rowsRead(db, table, async (tx) => {
        const { rows, count } = await listCounted(tx, readCustomerFilter({ category_id: String(rare.id) }), {
          backward: false,
          from: null,
          sort,
        })
        expect([rows.length, count]).toEqual([3, 3])
      })
    expect(await read('orders')).toBeLessThan(30)
    expect(await read('order_lines')).toBeLessThan(30)
  }
})

it('customers of an area who are quiet since an old day are found from its orders before that day', async () => {
  const area = await buildArea(db)
  await sql`insert into users (name, phone) select 'Quiet', '015' || lpad(n::text, 8, '0') from generate_series(1, 5000) n`.execute(db)
  // The oldest three have ordered before that day alone.
  await sql`insert into orders (customer_id, name, phone, address, area_id, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
    list_on, placed_at, view_key, tracking_code)
    select id, 'Quiet', phone, 'x', ${area.id}, 1000, 0, 0, 1000, 'full', 'NONE', 0, date '2026-01-01',
      case when row_number() over (order by id) <= 3 then timestamptz '2018-05-01' else timestamptz '2026-05-01' end, 'v', 'quiet' || id from users where name = 'Quiet'`.execute(
    db,
  )
  await sql`vacuum analyze orders, users`.execute(db)
  const view = { backward: false, from: null }
  const read = await rowsRead(db, 'orders', async (tx) => {
    const { rows, count } = await listCounted(tx, readCustomerFilter({ area_id: String(area.id), quiet_since: '2019-01-01' }), view)
    expect([rows.length, count]).toEqual([3, 3])
  })
  expect(read).toBeLessThan(30)
})

it('a page of the customers of an area reads none of the orders before it', async () => {
  const area = await buildArea(db)
  await sql`insert into users (name, phone) select 'Regular', '014' || lpad(n::text, 8, '0') from generate_series(1, 4000) n`.execute(db)
  await sql`insert into orders (customer_id, name, phone, address, area_id, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
    list_on, placed_at, view_key, tracking_code)
    select id, 'Regular', phone, 'x', ${area.id}, 1000, 0, 0, 1000, 'full', 'NONE', 0, date '2026-01-01', now(), 'v', 'regular' || id || '-' || n
    from users, generate_series(1, 4) n where name = 'Regular'`.execute(db)
  await sql`vacuum analyze orders, users`.execute(db)
  const { rows } = await sql<{ id: number }>`select id from users where name = 'Regular' order by id offset 1000 limit 1`.execute(db)
  const view = { backward: false, from: [String(rows[0]!.id)] }
  const read = await rowsRead(db, 'orders', async (tx) => {
    // The plan of a large shop.
    for (const other of ['nestloop', 'hashjoin', 'seqscan', 'bitmapscan'])
      await sql`set local ${sql.ref(`enable_${other}`)} = off`.execute(tx)
    expect((await listCustomers(tx, readCustomerFilter({ area_id: String(area.id) }), view)).rows).toHaveLength(25)
  })
  expect(read).toBeLessThan(500)
})
