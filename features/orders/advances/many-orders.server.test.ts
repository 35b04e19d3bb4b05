import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { rowsRead } from '#test/rows-read.ts'
import { lockReports } from './advance-reports.server.ts'

const { db } = await testDb()

it('the orders of a transaction ID are locked without reading the others', async () => {
  const { id, phone } = await buildUser(db)
  await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type,
      payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code)
    select ${id}, 'Rahima', ${phone}, 'x', 1000, 0, 0, 1000, 'full', 'NONE', 0, date '2026-01-01', now(), 'v', 'many' || n
    from generate_series(1, 3000) n`.execute(db)
  const { rows } = await sql<{ first: number; last: number }>`select min(id) as first, max(id) as last from orders`.execute(db)
  const { first, last } = rows[0]!
  await sql`insert into advance_reports (order_id, method, transaction_id, amount_poisha)
    values (${first}, 'bkash', '8N7A6B5C4D', 1000), (${last}, 'bkash', '8N7A6B5C4D', 1000)`.execute(db)
  await sql`analyze orders, advance_reports`.execute(db)
  const read = await rowsRead(db, 'orders', async (tx) => {
    const reports = await lockReports(tx, 'bkash', '8N7A6B5C4D', first)
    expect(reports.map(({ orderId }) => orderId)).toEqual([first, last])
  })
  expect(read).toBeLessThan(20)
})
