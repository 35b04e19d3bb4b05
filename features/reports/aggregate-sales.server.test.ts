import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDb } from '#lib/db/db.server.ts'
import { testDb } from '#test/db.ts'
import { rowsRead } from '#test/rows-read.ts'
import { buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { aggregateSales } from './aggregate-sales.server.ts'

const { db, url, reset } = await testDb()
beforeEach(reset)

const NOW = new Date()

/** An order with one line, placed at that time, and its first event. */
async function order({
  placedAt,
  status = 'placed',
  area = null,
  taka = 100,
}: {
  placedAt: string
  status?: string
  area?: number | null
  taka?: number
}) {
  const [buyer, product] = [await buildUser(db), await buildProduct(db)]
  const { rows } = await sql<{ id: number }>`
    insert into orders (status, reason, customer_id, name, phone, address, area_id, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha,
      payment_type, payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code)
    values (${status}, 'Test', ${buyer.id}, 'Rahima', ${buyer.phone}, 'House 5', ${area}, ${taka * 100}, 8000, 0, ${taka * 100 + 8000}, 'full', 'NONE', 0,
      '2026-01-01', ${placedAt}, 'key', gen_random_uuid()::text) returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  await sql`insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha)
    values (${id}, 1, ${product.id}, 'Mango', 'আম', 'kg', 1000, ${taka * 100}, ${taka * 100}, ${taka * 100})`.execute(db)
  await event(id)
  return id
}
const event = (id: number) => sql`insert into order_events (order_id, actor, kind) values (${id}, 'staff', 'status')`.execute(db)
const days = async () =>
  (
    await sql<{ day: string; orders: number; total_poisha: number; lost_orders: number }>`
    select day::text, sum(orders)::int as orders, sum(total_poisha)::bigint as total_poisha, sum(lost_orders)::int as lost_orders
    from sales_days group by day order by day`.execute(db)
  ).rows
const byCategory = async () =>
  (await sql<{ day: string; total_poisha: number }>`select day::text, total_poisha from sales_day_categories order by day`.execute(db)).rows

describe('the daily totals', () => {
  it('are by day in Dhaka, with cancelled orders apart, and categories without delivery charges', async () => {
    const area = (await buildArea(db)).id
    await order({ placedAt: '2026-01-01T17:59:59Z', area })
    await order({ placedAt: '2026-01-01T18:00:00Z', taka: 200 })
    await order({ placedAt: '2026-01-02T06:00:00Z', status: 'cancelled' })
    await aggregateSales(db, NOW)
    expect(await days()).toEqual([
      { day: '2026-01-01', orders: 1, total_poisha: 18_000, lost_orders: 0 },
      { day: '2026-01-02', orders: 1, total_poisha: 28_000, lost_orders: 1 },
    ])
    expect(await byCategory()).toEqual([
      { day: '2026-01-01', total_poisha: 10_000 },
      { day: '2026-01-02', total_poisha: 20_000 },
    ])
  })

  it('follow a change of an old order', async () => {
    const id = await order({ placedAt: '2025-03-05T06:00:00Z' })
    await aggregateSales(db, NOW)
    await sql`update orders set status = 'returned' where id = ${id}`.execute(db)
    await event(id)
    await aggregateSales(db, NOW)
    expect(await days()).toEqual([{ day: '2025-03-05', orders: 0, total_poisha: 0, lost_orders: 1 }])
    expect(await byCategory()).toEqual([])
  })

  it('are reduced by refunds of returned products', async () => {
    const id = await order({ placedAt: '2025-03-06T06:00:00Z', status: 'completed' })
    const { id: cashier } = await buildUser(db, { role: 'cashier' })
    await sql`with shift as (insert into pos_shifts (cashier_id, opened_at, opening_cash_poisha) values (${cashier}, now(), 0) returning id),
      money as (insert into ledger_entries (order_id, kind, method, amount_poisha, at, shift_id)
        select ${id}, kind, 'cash', amount, now(), shift.id from shift, (values ('counter', 18000), ('refund', -3000)) v (kind, amount)),
      back as (insert into pos_returns (order_id, shift_id, at, reason, worth_poisha, refund_poisha, idempotency_key, request_hash)
        select ${id}, id, now(), 'Bruised', 3000, 3000, 'a-key-of-this-test', '\\x00' from shift returning id)
      insert into pos_return_lines (return_id, product_id, quantity_milli, goods_poisha, is_spoiled)
        select back.id, l.product_id, 300, 3000, true from back, order_lines l where l.order_id = ${id}`.execute(db)
    await aggregateSales(db, NOW)
    expect(await days()).toEqual([{ day: '2025-03-06', orders: 1, total_poisha: 15_000, lost_orders: 0 }])
    expect(await byCategory()).toEqual([{ day: '2025-03-06', total_poisha: 7000 }])
  })

  it('include transactions that commit late', async () => {
    const late = db.transaction().execute(async (tx) => {
      const id = await order({ placedAt: '2026-02-01T06:00:00Z' })
      await sql`update orders set status = 'cancelled' where id = ${id}`.execute(tx)
      await sql`insert into order_events (order_id, actor, kind) values (${id}, 'staff', 'status')`.execute(tx)
      await order({ placedAt: '2026-02-02T06:00:00Z' })
      // The job reads past the event that is not committed yet.
      await aggregateSales(db, new Date())
    })
    await late
    await aggregateSales(db, new Date())
    expect((await days())[0]).toMatchObject({ day: '2026-02-01', orders: 0, lost_orders: 1 })
  })

  it.each([0, 5000])(
    'include an order that commits late without an earlier event of the last minute; the clock is %i ms behind',
    async (behind) => {
      const id = await order({ placedAt: '2026-02-01T06:00:00Z' })
      await sql`update order_events set at = now() - interval '1 hour'`.execute(db)
      await db.transaction().execute(async (tx) => {
        await sql`update orders set status = 'cancelled' where id = ${id}`.execute(tx)
        await sql`insert into order_events (order_id, actor, kind) values (${id}, 'staff', 'status')`.execute(tx)
        await order({ placedAt: '2026-02-02T06:00:00Z' })
        await aggregateSales(db, new Date(Date.now() - behind))
      })
      await aggregateSales(db, new Date())
      expect((await days())[0]).toMatchObject({ day: '2026-02-01', orders: 0, lost_orders: 1 })
    },
  )

  it('include a transaction that commits hours later, also after other runs', async () => {
    const id = await order({ placedAt: '2026-02-01T06:00:00Z' })
    await aggregateSales(db, new Date())
    await db.transaction().execute(async (tx) => {
      await sql`update orders set status = 'cancelled' where id = ${id}`.execute(tx)
      await sql`insert into order_events (order_id, actor, kind) values (${id}, 'staff', 'status')`.execute(tx)
      await order({ placedAt: '2026-02-02T06:00:00Z' })
      const later = new Date(Date.now() + 7_200_000)
      for (let run = 0; run < 3; run++) await aggregateSales(db, later)
      expect(await days()).toMatchObject([{ day: '2026-02-01', orders: 1 }, { day: '2026-02-02' }])
    })
    await aggregateSales(db, new Date(Date.now() + 7_230_000))
    expect((await days())[0]).toMatchObject({ day: '2026-02-01', orders: 0, lost_orders: 1 })
  })

  it('are found from the newest events, among however many', async () => {
    const buyer = await buildUser(db)
    await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway,
        payable_poisha, list_on, placed_at, view_key, tracking_code)
      select ${buyer.id}, 'Rahima', ${buyer.phone}, 'House 5', 10000, 0, 0, 10000, 'full', 'NONE', 0, '2026-01-01', '2026-01-01T06:00:00Z', 'key', n
      from generate_series(1, 3000) n`.execute(db)
    await sql`insert into order_events (order_id, actor, kind, at) select o.id, 'staff', 'status', now() - interval '1 day'
      from generate_series(1, 10), orders o`.execute(db)
    // Transactions of other tests may be open: a run reads on from what an earlier one saw when they have ended.
    const isReadToEnd = async () => {
      await aggregateSales(db, new Date())
      const { rows } = await sql<{ is: boolean }>`select next_event > (select max(id) from order_events) as is from sales_progress`.execute(
        db,
      )
      return rows[0]!.is
    }
    await expect.poll(isReadToEnd).toBe(true)
    await sql`select brin_summarize_new_values('order_events_newest')`.execute(db)
    await sql`analyze order_events`.execute(db)
    await event(await order({ placedAt: '2026-01-02T06:00:00Z' }))
    expect(await rowsRead(db, 'order_events', (tx) => aggregateSales(tx, new Date()))).toBeLessThan(20_000)
    expect(await days()).toMatchObject([{ day: '2026-01-01' }, { day: '2026-01-02' }])
    const later = new Date(Date.now() + 3_600_000)
    expect(await rowsRead(db, 'order_events', (tx) => aggregateSales(tx, later))).toBeLessThan(20_000)
    // What PostgreSQL expects: with the share of a column it reads an index of all events in a large shop.
    const statements: string[] = []
    const watched = openDb(url, { onQuery: (text) => statements.push(text) })
    await aggregateSales(watched.db, later)
    await watched.close()
    const ofNewest = statements.filter((text) => text.includes('order_events where id >='))
    expect(ofNewest).toHaveLength(2)
    for (const text of ofNewest) {
      const { rows } = await sql<Record<string, string>>`explain ${sql.raw(text.replaceAll('$1', '30000'))}`.execute(db)
      const scan = rows.map((row) => Object.values(row)[0]!).find((line) => line.includes(' on order_events ')) ?? ''
      expect(Number(/rows=(\d+)/.exec(scan)?.[1]), scan).toBeLessThan(5000)
    }
  })

  it('are equal for concurrent processes, and when computed again from the start', async () => {
    for (let day = 1; day <= 5; day++) await order({ placedAt: `2026-01-0${day}T06:00:00Z` })
    await Promise.all(Array.from({ length: 6 }, () => aggregateSales(db, NOW)))
    await aggregateSales(db, NOW)
    const first = await days()
    expect(first).toHaveLength(5)
    await sql`update sales_progress set next_event = 0`.execute(db)
    await aggregateSales(db, NOW)
    expect(await days()).toEqual(first)
  })
})
