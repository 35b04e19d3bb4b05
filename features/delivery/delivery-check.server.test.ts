import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { isPartlyDelivered, listDeliveryChecks } from './delivery-check.server.ts'
import { orderOf, signedIn } from '../orders/testing/admin-shop.ts'

// The check before a delivery: missing final weighings and amounts due. Cash collected at the delivery.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const category = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: 4 })
await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${category.id}, '', 100000, 55000)`.execute(db)
const [manager, sales, weigher, viewer] = [
  await signedIn(shop, 'manager'),
  await signedIn(shop, 'sales'),
  await signedIn(shop, 'weigher'),
  await signedIn(shop, 'viewer'),
]

let before = new Map<number, number>()
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

/** A jar of 500 taka and, unless left out, a cow of 200 kg at 550 taka; all due at delivery. */
async function ordered({ hasCow = true } = {}) {
  const honey = await buildProduct(db, { unit: 'piece', stock_milli: 10_000, price_poisha: 50_000 })
  const cow = await buildAnimal(db, { category_id: category.id, weight_grams: 200_000, delivery_on: '2026-11-21' })
  before = await countStock(db)
  const { body, text } = await shop.visitor().post(
    '/customer-orders',
    orderBody(
      area.id,
      hasCow
        ? [
            [cow.id, 1],
            [honey.id, 1],
          ]
        : [[honey.id, 1]],
    ),
  )
  expect(body.order_id, text).toBeTypeOf('number')
  shop.clock.now = new Date(shop.clock.now.getTime() + 1000)
  return { id: body.order_id!, cow: cow.id, tag: cow.tag_number ?? '', honey: honey.id }
}
const weigh = (cow: number, weight_kg: number) =>
  weigher.post(`/admin/animals/${cow}/weigh-ins`, {
    weight_kg,
    weighed_on: '2026-11-20',
    method: 'scale',
    weighed_by: 'Rafiq',
    confirmed: true,
  })
const update = (id: number, body: object, who = sales) => who.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', ...body })
const move = (orders: object[], status: string, who = sales) => who.post('/admin/orders/status', { orders, status })
const advance = (id: number, status: string) => sql`update orders set status = ${status} where id = ${id}`.execute(db)
const ledger = async (id: number) =>
  (
    await sql<object>`select kind, method, amount_poisha / 100 as amount, actor_id from ledger_entries where order_id = ${id} order by id`.execute(
      db,
    )
  ).rows
const order = async (id: number) =>
  (await sql<{ status: string; version: number }>`select status, version from orders where id = ${id}`.execute(db)).rows[0]!
const check = (query: string, who = sales) => who.get(`/api/admin/orders/delivery-check?${query}`, { accept: 'application/json' })

describe('the check before a delivery', () => {
  it('lists missing and unsettled final weighings, and the amount due where the order is handed over', async () => {
    const { id, cow, tag } = await ordered()
    await advance(id, 'processing')
    const open = async (to: 'processing' | 'on_delivery' | 'delivered' | 'completed' | 'returned') =>
      listDeliveryChecks(db, [id], to, dhakaDate(shop.clock.now))
    expect(await open('on_delivery')).toEqual([
      { id, name: expect.any(String), due: 0, refund: 0, animals: [{ tag, state: 'missing', kg: null }], second_on: null },
    ])
    // It cannot be delivered before it goes out.
    expect([await open('delivered'), await open('processing'), await open('returned')]).toEqual([[], [], []])
    await weigh(cow, 210)
    expect(await open('on_delivery')).toMatchObject([{ animals: [{ tag, state: 'to-settle', kg: 210 }] }])
    await sales.post(`/admin/orders/${id}/settle`, { animal_id: cow })
    expect(await open('on_delivery')).toEqual([])
    await advance(id, 'on_delivery')
    expect(await open('delivered')).toMatchObject([{ due: 117_500, animals: [] }])
    await weigh(cow, 211)
    expect(await open('delivered')).toMatchObject([{ due: 117_500, animals: [{ tag, state: 'to-settle', kg: 211 }] }])
    await advance(id, 'delivered')
    expect(await open('completed')).toMatchObject([{ due: 117_500 }])
  })

  it('lists orders whose second delivery is still to come', async () => {
    const today = dhakaDate(shop.clock.now)
    const last = addDays(today, 30)
    const [honey, jam] = [await buildProduct(db), await buildProduct(db, { status: 'pre-book', delivery_on: last })]
    before = await countStock(db)
    const lines: [number, number][] = [
      [honey.id, 1],
      [jam.id, 1],
    ]
    const { body } = await shop.visitor().post('/customer-orders', orderBody(area.id, lines, { deliveries: 2 }))
    const id = body.order_id!
    await advance(id, 'processing')
    expect((await check(`ids=${id}&to=on_delivery`)).body).toMatchObject({ checks: [{ id, due: 0, animals: [], second_on: last }] })
    expect(await listDeliveryChecks(db, [id], 'on_delivery', last)).toEqual([])
    // Its products must not go back in stock unseen once the first delivery may have been made.
    expect([await isPartlyDelivered(db, id, today), await isPartlyDelivered(db, id, last)]).toEqual([false, true])
  })

  it('lists nothing for orders that are paid, cancelled, or unknown', async () => {
    const { id } = await ordered({ hasCow: false })
    await manager.post(`/admin/orders/payments/${id}`, { method: 'cash', amount: 580, version: 1 })
    await advance(id, 'on_delivery')
    expect(await listDeliveryChecks(db, [id, 999_999], 'delivered', dhakaDate(shop.clock.now))).toEqual([])
    const over = await ordered()
    await update(over.id, { status: 'cancelled', reason: 'No answer' })
    expect(await listDeliveryChecks(db, [over.id], 'delivered', dhakaDate(shop.clock.now))).toEqual([])
  })

  it('lists the refund due of an overpaid order where it is handed over', async () => {
    const { id } = await ordered({ hasCow: false })
    await manager.post(`/admin/orders/payments/${id}`, { method: 'cash', amount: 700, version: 1, confirmed: true })
    await advance(id, 'processing')
    expect(await listDeliveryChecks(db, [id], 'on_delivery', dhakaDate(shop.clock.now))).toEqual([])
    await advance(id, 'on_delivery')
    expect(await listDeliveryChecks(db, [id], 'delivered', dhakaDate(shop.clock.now))).toMatchObject([{ id, due: 0, refund: 120 }])
    const refundsDue = async () => {
      const { text } = await manager.get('/admin/reports', { accept: 'text/html' })
      const { refunds } = pageProps<{ balances: { refunds: { status: string; orders: number; poisha: number }[] } }>(text).balances
      return refunds.find(({ status }) => status === 'delivered') ?? { status: 'delivered', orders: 0, poisha: 0 }
    }
    const dueBefore = await refundsDue()
    expect((await move([await order(id).then(({ version }) => ({ id, version }))], 'delivered')).status).toBe(200)
    expect((await sales.get('/admin/orders?due=refund', { accept: 'text/html' })).text).toContain(`/admin/orders/update/${id}`)
    expect(await refundsDue()).toEqual({ status: 'delivered', orders: dueBefore.orders + 1, poisha: dueBefore.poisha + 12_000 })
  })

  it('needs the permission to write orders, and valid ids and status', async () => {
    const { id } = await ordered()
    await advance(id, 'on_delivery')
    expect((await check(`ids=${id}&to=delivered`)).body).toMatchObject({ checks: [{ id, due: 112_000 }] })
    for (const who of [viewer, weigher]) expect((await check(`ids=${id}&to=delivered`, who)).status).toBe(403)
    expect((await check(`ids=${id}&to=delivered`, shop.visitor() as typeof sales)).status).toBe(401)
    for (const wrong of [
      '',
      'ids=&to=delivered',
      'ids=1,x&to=delivered',
      'ids=-1&to=delivered',
      'ids=1&to=gone',
      `ids=${Array.from({ length: 101 }, (_, i) => i + 1).join(',')}&to=delivered`,
      `ids=${'9'.repeat(16)}&to=delivered`,
    ])
      expect((await check(wrong)).status, wrong).toBe(422)
  })
})

describe('cash collected at the delivery', () => {
  it('is a ledger entry of the same request: cash on delivery, by the clerk', async () => {
    const { id } = await ordered()
    await advance(id, 'on_delivery')
    const response = await update(id, { status: 'delivered', collected: '১,১২,০০০', version: 1 })
    expect(response.status, response.text).toBe(200)
    expect(orderOf(response)).toMatchObject({ status: 'delivered', paid: 112_000, due: 0, money: 'settled' })
    expect(await ledger(id)).toEqual([{ kind: 'cash_on_delivery', method: 'cash', amount: 112_000, actor_id: sales.id }])
    expect((await order(id)).version).toBe(orderOf(response).version)
    expect(
      orderOf(response)
        .events.map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(expect.arrayContaining(['payment-recorded', 'status']))
  })

  it('can be a part or nothing; the rest stays due', async () => {
    const { id } = await ordered()
    await advance(id, 'on_delivery')
    expect(orderOf(await update(id, { status: 'delivered', collected: 100_000 }))).toMatchObject({ due: 12_000, money: 'due' })
    expect(orderOf(await update(id, { status: 'completed', collected: '' }))).toMatchObject({ status: 'completed', due: 12_000 })
    expect(await ledger(id)).toHaveLength(1)
  })

  it.each([112_000.01, -1, 'much', 1e15, Number.MAX_VALUE])(
    'of %j is rejected at its field, and the order does not change',
    async (collected) => {
      const { id } = await ordered()
      await advance(id, 'on_delivery')
      const response = await update(id, { status: 'delivered', collected })
      expect([response.status, Object.keys(response.body.errors ?? {})]).toEqual([422, ['collected']])
      expect([await order(id), await ledger(id)]).toEqual([{ status: 'on_delivery', version: 1 }, []])
    },
  )

  it('is recorded only with a delivery', async () => {
    const { id } = await ordered()
    for (const body of [{ collected: 100 }, { status: 'processing', collected: 100 }]) {
      const response = await update(id, body)
      expect([response.status, Object.keys(response.body.errors ?? {})]).toEqual([422, ['collected']])
    }
    expect(await ledger(id)).toEqual([])
  })

  it('is checked against the total of the same request', async () => {
    const { id, honey } = await ordered({ hasCow: false })
    await advance(id, 'on_delivery')
    const products = [{ product_id: honey, quantity: 2, price_on_order: '' }]
    expect((await update(id, { status: 'delivered', products, collected: 1081 })).body.errors).toHaveProperty('collected')
    expect(orderOf(await update(id, { status: 'delivered', products, collected: 1080 }))).toMatchObject({ due: 0, status: 'delivered' })
  })

  it('is recorded once for concurrent requests', async () => {
    const { id } = await ordered()
    await advance(id, 'on_delivery')
    const responses = await Promise.all([1, 2, 3, 4].map(() => update(id, { status: 'delivered', collected: 112_000, version: 1 })))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    expect(await ledger(id)).toHaveLength(1)
  })

  it('of several orders is recorded for each order', async () => {
    const [paid, unpaid, wrong] = [await ordered({ hasCow: false }), await ordered({ hasCow: false }), await ordered({ hasCow: false })]
    for (const { id } of [paid, unpaid, wrong]) await advance(id, 'on_delivery')
    before.clear()
    const response = await move(
      [
        { id: paid.id, version: 1, collected: '580' },
        { id: unpaid.id, version: 1 },
        { id: wrong.id, version: 1, collected: 9000 },
      ],
      'delivered',
    )
    expect((response.body as { results: object[] }).results).toMatchObject([
      { id: paid.id, ok: true, status: 'delivered', version: 3 },
      { id: unpaid.id, ok: true, version: 2 },
      { id: wrong.id, ok: false, message: expect.stringContaining('amount due') },
    ])
    expect([await ledger(paid.id), await ledger(unpaid.id), await ledger(wrong.id)]).toMatchObject([[{ amount: 580 }], [], []])
    expect(await order(paid.id)).toEqual({ status: 'delivered', version: 3 })
    const again = await move([{ id: paid.id, version: 1, collected: '580' }], 'delivered')
    expect((again.body as { results: object[] }).results).toMatchObject([{ ok: false }])
    expect(await ledger(paid.id)).toHaveLength(1)
    expect((await move([{ id: paid.id, version: 3, collected: 'x' }], 'completed')).status).toBe(422)
    expect((await move([{ id: paid.id, version: 3, collected: 1 }], 'completed', viewer)).status).toBe(403)
  })
})
