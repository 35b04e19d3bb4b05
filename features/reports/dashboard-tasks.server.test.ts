import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { can, type StaffRole } from '#features/auth/permissions.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildProduct, buildUser } from '#test/factories.ts'
import { rowsRead } from '#test/rows-read.ts'
import { listSms } from '#features/messaging/queries.server.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { readOrderFilter } from '#features/orders/history/list-query-rules.ts'
import { findAdminOrder } from '#features/orders/history/order-details.server.ts'
import { listOrders } from '#features/orders/history/order-list.server.ts'
import { listDeliveryLoad, listLowStock, listTasks, tasksFor } from './dashboard-tasks.server.ts'

const { db, reset } = await testDb()
beforeEach(reset)

/** The morning of the 20th in Dhaka, still the 19th in UTC. */
const NOW = new Date('2026-11-19T20:00:00Z')

async function order(listOn: string, status: string, more: { attention?: string; waits?: boolean } = {}): Promise<number> {
  const buyer = await buildUser(db)
  const { rows } = await sql<{
    id: number
  }>`insert into orders (status, reason, customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha,
      payment_type, payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code, needs_attention, expires_at)
    values (${status}, 'Test', ${buyer.id}, 'Rahima', ${buyer.phone}, 'House 5', 10000, 0, 0, 10000, 'full', 'NONE', 0,
      ${listOn}, ${NOW}, 'key', gen_random_uuid()::text, ${more.attention ?? null}, ${more.waits ? NOW : null}) returning id`.execute(db)
  return rows[0]!.id
}

const list = (href: string) => {
  const query = Object.fromEntries(new URLSearchParams(href.split('?')[1]))
  return listOrders(db, readOrderFilter(query), { backward: false, from: null }, 'en')
}

const counts = async (role: StaffRole = 'owner') =>
  Object.fromEntries(tasksFor(await listTasks(db, NOW), (right) => can(role, right)).map(({ key, count }) => [key, count]))

describe('the tasks of today', () => {
  it('counts deliveries of today, tomorrow and earlier days, by day in Dhaka', async () => {
    for (const status of ['placed', 'processing', 'on_delivery', 'delivered', 'cancelled']) {
      await order('2026-11-20', status)
      await order('2026-11-21', status)
    }
    await order('2026-11-19', 'on_delivery', { attention: 'paid-twice' })
    await order('2026-11-19', 'delivered')
    expect(await counts()).toMatchObject({ call: 1, deliver: 3, late: 1, attention: 1, verify: 0, weigh: 0, sms: 0, bookings: 0 })
  })

  it('counts all open orders of past days as late', async () => {
    for (const status of ['placed', 'processing', 'on_delivery', 'delivered', 'completed', 'cancelled', 'returned'])
      await order('2026-11-19', status)
    await order('2026-11-18', 'placed', { waits: true })
    expect(await counts()).toMatchObject({ late: 3 })
  })

  const addLine = (id: number, product: { id: number }, position = 1) =>
    sql`insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha,
      line_total_poisha, advance_poisha, tag_number, delivery_on) select ${id}, ${position}, id, 'Goods', 'পণ্য', 'piece', 1000, 1, 1, 1, 0, tag_number, delivery_on
      from products
      where id = ${product.id}`.execute(db)

  it('counts a booked cow as late only after its own date', async () => {
    const cow = await buildAnimal(db)
    await addLine(await order('2026-06-01', 'placed'), cow)
    const lateWhenItComes = async (day: string) => {
      await sql`update products set delivery_on = ${day} where id = ${cow.id}`.execute(db)
      return (await counts()).late
    }
    expect([await lateWhenItComes('2026-11-21'), await lateWhenItComes('2026-11-20'), await lateWhenItComes('2026-11-19')]).toEqual([
      0, 0, 1,
    ])
  })

  it('counts a late order whose product is available again later', async () => {
    const mango = await buildProduct(db, { unit: 'kg' })
    await addLine(await order('2026-11-19', 'processing'), mango)
    await sql`update products set delivery_on = '2026-11-30' where id = ${mango.id}`.execute(db)
    expect(await counts()).toMatchObject({ late: 1 })
  })

  it('counts a booked cow on its delivery date only, and every count equals the rows of its list', async () => {
    const days = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-25', '2026-12-01']
    for (const listOn of ['2026-06-01', '2026-11-20', '2026-11-21'])
      for (const status of ['placed', 'processing', 'on_delivery', 'delivered', 'cancelled'])
        for (const day of days) await addLine(await order(listOn, status), await buildAnimal(db, { delivery_on: day }))
    await order('2026-11-20', 'placed', { waits: true, attention: 'paid-after-end' })
    await order('2026-11-20', 'processing')
    await order('2026-11-21', 'placed')
    const tasks = await listTasks(db, NOW)
    // Of June the one whose cow comes on the day, of today those whose cows come today or should have come yesterday, and the mangoes.
    expect(Object.fromEntries(tasks.map(({ key, count }) => [key, count]))).toMatchObject({
      deliver: 3 + 6 + 1,
      late: 3,
      call: 6,
      attention: 1,
    })
    const load = await listDeliveryLoad(db, NOW)
    expect(load.map(({ orders }) => orders)).toEqual([10, 3 + 3 + 9 + 1, 0, 0, 0, 9, 0])
    const rowsOf = async (href: string) => (await list(href)).count
    for (const { key, count, href } of tasks.filter(({ href }) => href.startsWith('/admin/orders')))
      expect([key, await rowsOf(href)]).toEqual([key, count])
    for (const { day, orders } of load) expect(await rowsOf(`/admin/orders?list_on=${day}&open=1`)).toBe(orders)
  })

  it('counts orders with a Kurbani animal after the last day of the season, when Eid has moved', async () => {
    const LAST = '2026-11-24'
    const [kurbani, beef] = await Promise.all((['kurbani', 'beef'] as const).map((key) => buildCategory(db, { key })))
    const animal = (delivery_on: string, category_id = kurbani!.id) => buildAnimal(db, { category_id, delivery_on })
    const late = await order('2026-11-20', 'placed')
    await addLine(late, await animal('2026-11-25'))
    await addLine(await order('2026-11-20', 'placed'), await animal(LAST))
    await addLine(await order('2026-11-20', 'placed'), await animal('2026-11-25', beef!.id))
    await addLine(await order('2026-11-20', 'cancelled'), await animal('2026-11-25'))
    // The cow comes with the first of two deliveries.
    const split = await order('2026-11-20', 'processing')
    await sql`update orders set deliveries = 2 where id = ${split}`.execute(db)
    await addLine(split, await animal(LAST))
    await addLine(split, await buildProduct(db, { delivery_on: '2026-11-28' }), 2)
    const season = async (ends: string) => (await listTasks(db, NOW, ends)).find(({ key }) => key === 'season')
    const task = await season(LAST)
    expect(task).toMatchObject({ count: 1, href: `/admin/orders?kurbani_after=${LAST}` })
    expect((await list(task!.href)).rows.map(({ id }) => id)).toEqual([late])
    // Nothing to do, and a season that is over.
    expect([await season('2026-11-30'), await season('2026-11-19')]).toEqual([undefined, undefined])
  })

  it('counts refunds due as the order list and the order page do', async () => {
    const paid = async (status: string, poisha: number) => {
      const id = await order('2026-11-20', status)
      await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, at) values (${id}, 'advance', 'cash', ${poisha}, ${NOW})`.execute(
        db,
      )
      return id
    }
    const owed = [await paid('cancelled', 1), await paid('returned', 10000), await paid('delivered', 10001)]
    const others = [await paid('placed', 5000), await paid('completed', 10000), await order('2026-11-20', 'cancelled')]
    const task = (await listTasks(db, NOW)).find(({ key }) => key === 'refund')!
    expect(task).toEqual({ key: 'refund', count: owed.length, href: '/admin/orders?due=refund' })
    const list = await listOrders(db, readOrderFilter({ due: 'refund' }), { backward: false, from: null }, 'en')
    expect(list.rows.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(owed)
    const refunds = ['to-refund', 'overpaid']
    for (const id of [...owed, ...others])
      expect(refunds.includes((await findAdminOrder(db, id, 'en', false))!.money), String(id)).toBe(owed.includes(id))
  })

  it('counts failed and unknown SMS, and leads to a list of both', async () => {
    const states = ['failed', 'unknown', 'submitted'] as const
    for (const state of states) {
      const id = await queueSms(db, { purpose: 'order', event: state, phone: '01711000009', text: 'Order' })
      await sql`update sms_outbox set state = ${state}, created_at = ${NOW} where id = ${id}`.execute(db)
    }
    const { count, href } = (await listTasks(db, NOW)).find(({ key }) => key === 'sms')!
    expect([count, href]).toEqual([2, '/admin/sms?state=problem&days=7'])
    const { rows } = await listSms(db, { state: 'problem' }, { backward: false, from: null })
    expect(rows.map(({ state }) => state)).toEqual(['unknown', 'failed'])
  })

  it('contains the tasks that the role can see', async () => {
    await order('2026-11-20', 'placed')
    expect(await counts('weigher')).toEqual({ weigh: 0 })
    expect(await counts('cashier')).toEqual({})
    expect(await counts('sales')).toMatchObject({ deliver: 1 })
  })
})

describe('the delivery load of the next days', () => {
  it('has one row a day for seven days, with open orders only', async () => {
    for (const status of ['placed', 'processing', 'on_delivery', 'delivered', 'completed', 'cancelled', 'returned'])
      await order('2026-11-20', status)
    await order('2026-11-19', 'placed')
    await order('2026-11-26', 'placed')
    await order('2026-11-27', 'placed')
    expect(await listDeliveryLoad(db, NOW)).toEqual([
      { day: '2026-11-20', orders: 3 },
      ...['21', '22', '23', '24', '25'].map((day) => ({ day: `2026-11-${day}`, orders: 0 })),
      { day: '2026-11-26', orders: 1 },
    ])
  })
})

it('low stock is found without reading the other products', async () => {
  const few = await buildProduct(db, { stock_milli: 3000 })
  const { id } = await buildCategory(db)
  await sql`insert into products (category_id, name_en, name_bn, price_poisha, unit, status, stock_milli)
    select ${id}, 'Rice ' || n, 'চাল', 1000, 'kg', 'in-stock', 500000 from generate_series(1, 2000) n`.execute(db)
  await sql`analyze products`.execute(db)
  const read = await rowsRead(db, 'products', async (tx) =>
    expect(await listLowStock(tx, 10, 'en')).toMatchObject([{ id: few.id, left_milli: 3000 }]),
  )
  expect(read).toBeLessThan(10)
})
