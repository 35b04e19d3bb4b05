import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildUser } from '#test/factories.ts'
import { rowsRead } from '#test/rows-read.ts'
import { listDueWeighings } from '../queries.server.ts'
import { listUnsettledWeighings } from './final-weighings.server.ts'

// The work lists of final weighings, in a shop that has sold many animals and many other products.

const { db } = await testDb()

it('read the orders that are still open, and not those of all animals sold', async () => {
  const category = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: 4 })
  const cow = await buildAnimal(db, { category_id: category.id, weight_grams: 200_000 })
  const customer = await buildUser(db)
  await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
    list_on, placed_at, view_key, tracking_code, status)
    select ${customer.id}, 'Rahima', '01711111112', 'x', 0, 0, 0, 0, 'full', 'NONE', 0, date '2026-01-01', timestamptz '2025-12-01', 'v', 'sold' || n,
      case when n % 1000 = 0 then 'placed' else 'completed' end
    from generate_series(1, 4000) n`.execute(db)
  await sql`insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha, booked_rate_poisha, booked_grams)
    select id, 1, ${cow.id}, 'Cow', 'গরু', 'animal', 1000, 0, 0, 0, 55000, 200000 from orders where id % 2 = 0`.execute(db)
  await sql`analyze orders, order_lines, products`.execute(db)
  const { rows } = await sql<{
    id: number
  }>`select o.id from orders o join order_lines l on l.order_id = o.id where o.status = 'placed'`.execute(db)
  const now = new Date('2026-01-02T06:00:00Z')
  const reads = async (table: string) => [
    await rowsRead(db, table, async (tx) => expect((await listDueWeighings(tx, now)).total).toBe(rows.length)),
    await rowsRead(db, table, async (tx) => expect((await listUnsettledWeighings(tx)).total).toBe(0)),
  ]
  expect(rows.length).toBeGreaterThan(0)
  for (const read of await reads('products')) expect(read).toBeLessThan(20)
  // Of an index alone, the heap is visited too until the table is vacuumed.
  for (const read of await reads('orders')) expect(read).toBeLessThan(100)
})
