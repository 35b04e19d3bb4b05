import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { withoutTimeouts } from '../long-transaction.ts'
import { addTraces } from './add-traces.ts'
import { ORDERS } from './orders.ts'
import { SEED_LOCK } from './seed-demo.ts'
import { endOf, seedingTime } from './seeding-time.ts'

/**
 * Adds to a demo of an earlier version what its orders and products lack by the rules of `shop check`. Returns whether it was needed. Orders
 * placed after the seeding, and generated ones, stay as they are.
 */
export async function completeDemo(db: Db, publicUrl: string): Promise<boolean> {
  const phones = ORDERS.map(({ phone }) => phone)
  const orders = sql`o.placed_at < ${endOf(await seedingTime(db))} and o.customer_id in (select id from users where phone = any(${phones}))`
  const { rows } = await sql`
    select 1 from orders o where ${orders} and not exists (select 1 from sms_outbox s where s.order_id = o.id) limit 1`.execute(db)
  if (rows.length === 0) return false
  await withoutTimeouts(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(tx)
    await sql`update order_events e set actor_id = (select id from users where role = 'manager' order by id limit 1) from orders o
      where o.id = e.order_id and ${orders} and e.actor = 'staff' and e.actor_id is null`.execute(tx)
    await releaseAnimals(tx, orders)
    await addTraces(tx, { orders, today: dhakaDate(new Date()), publicUrl })
    await sql`update products set status = 'out-of-stock', version = version + 1
      where not is_unique and stock_milli = 0 and status <> 'out-of-stock'`.execute(tx)
  })
  return true
}

/** Orders without stock movements gave nothing back when they ended: their animals stayed sold. */
async function releaseAnimals(tx: Db, orders: RawBuilder<unknown>): Promise<void> {
  const ended = sql`animal_holds h join orders o on o.id = h.order_id where ${orders} and o.status in ('cancelled', 'returned')`
  await sql`insert into stock_movements (product_id, order_id, delta_milli, reason, at)
    select h.product_id, o.id, -1000, 'ordered', o.placed_at from ${ended}`.execute(tx)
  await sql`select move_stock((select jsonb_agg(jsonb_build_object('product_id', h.product_id, 'order_id', o.id, 'delta_milli', 1000, 'reason', 'freed',
    'movement', case o.status when 'cancelled' then 'release' else 'return' end)) from ${ended}))`.execute(tx)
}
