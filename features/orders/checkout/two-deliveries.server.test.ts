import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { arrivalDate, deliveryDate, splitDates } from '#features/pricing/delivery-plan-rules.ts'
import { addDays, dhakaDate, dhakaInstant } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { listDate } from '../list-date.ts'
import { signedIn } from '../testing/admin-shop.ts'
import { listDeliveryLoad } from '#features/reports/dashboard-tasks.server.ts'
import { listDeliverySheet } from '#features/delivery/delivery-sheet.server.ts'
import { sendDeliveryReminders } from '#features/delivery/delivery-reminders.server.ts'

// Products with different dates: one delivery on the latest date, or two deliveries for two charges.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { produce: 80 })
const dear = await buildArea(db, { produce: 100 })
const manager = await signedIn(shop, 'manager')

const listOn = listDate(shop.clock.now, DEFAULT_SETTINGS.cutoff_hour)
const LAST = addDays(listOn, 10)
const cane = await buildProduct(db, { name_en: 'Sugarcane', price_poisha: 10_000 })
const langra = await buildProduct(db, { name_en: 'Langra', price_poisha: 20_000, status: 'pre-book', delivery_on: LAST })

const CASH = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const MIXED: [number, number][] = [
  [cane.id, 1],
  [langra.id, 1],
]

async function place(lines: [number, number][], more: object, client = shop.visitor()) {
  const answer = await client.post('/customer-orders', orderBody(area.id, lines, { ...CASH, ...more }))
  return { ...answer, id: answer.body.order_id ?? 0 }
}

async function dates(id: number) {
  const { rows } = await sql<{ first: string | null; last: string; charge: number; total: number }>`
    select first_delivery_on(o) as first, deliver_on as last, shipping_poisha / 100 as charge, total_poisha / 100 as total from orders o where id = ${id}`.execute(
    db,
  )
  return rows[0]!
}

/** Runs the job on the evening before the day. */
const remind = (day: string) =>
  sendDeliveryReminders({
    db,
    now: () => dhakaInstant(addDays(day, -1), '18:00'),
    env: { publicUrl: 'https://khamar.example' },
    shopCache: { settings: async () => ({ ...DEFAULT_SETTINGS, sms_english: true }) },
  })

async function told() {
  const { rows } = await sql<{ order_id: number; body: string }>`delete from sms_outbox returning order_id, body`.execute(db)
  return rows.sort((a, b) => a.order_id - b.order_id)
}

describe('an order of products with different dates', () => {
  it('has one delivery on the latest date for one charge by default', async () => {
    const one = await place(MIXED, {})
    const two = await place(MIXED, { deliveries: 2 })
    expect(await dates(one.id)).toEqual({ first: null, last: LAST, charge: 80, total: 380 })
    expect(await dates(two.id)).toEqual({ first: listOn, last: LAST, charge: 160, total: 460 })
  })

  it('has one delivery for one charge when all products have the same date', async () => {
    const { id } = await place([[langra.id, 1]], { deliveries: 2 })
    expect(await dates(id)).toEqual({ first: null, last: LAST, charge: 80, total: 280 })
  })

  it('is rejected with the total of one delivery, and with an invalid number of deliveries', async () => {
    const cheap = await place(MIXED, { deliveries: 2, expected_total: 380 })
    expect([cheap.status, cheap.body.total]).toEqual([422, 460])
    const placedBefore = (await sql<{ count: number }>`select count(*)::int as count from orders`.execute(db)).rows
    for (const deliveries of [0, 3, -1, 1.5, '2', true, [2]]) expect((await place(MIXED, { deliveries })).status).toBe(422)
    expect((await sql<{ count: number }>`select count(*)::int as count from orders`.execute(db)).rows).toEqual(placedBefore)
    expect((await place(MIXED, { deliveries: null })).status).toBe(200)
  })

  it('is placed once for repeated and concurrent requests', async () => {
    const client = shop.visitor()
    const body = orderBody(area.id, MIXED, { ...CASH, deliveries: 2 })
    const key = { key: 'two-deliveries-once' }
    const answers = await Promise.all([1, 2, 3].map(() => client.post('/customer-orders', body, key)))
    expect(new Set(answers.map((answer) => answer.body.order_id)).size).toBe(1)
    const changed = await client.post('/customer-orders', { ...body, deliveries: 1 }, key)
    expect(changed.status).toBe(409)
  })

  it('applies a free-delivery coupon to one of the two deliveries', async () => {
    const { code } = await buildCoupon(db, { kind: 'free_shipping' })
    const { phone } = await buildUser(db)
    const client = shop.visitor()
    await client.signIn(phone)
    const lines = MIXED.map(([product_id, quantity]) => ({ product_id, quantity, coupon: code }))
    const { id, text } = await place(MIXED, { products: lines, deliveries: 2, couponFreeShipping: 80 }, client)
    expect(id, text).toBeGreaterThan(0)
    expect(await dates(id)).toMatchObject({ charge: 80 })
  })

  it('is on its invoice, in the order list of both dates and in the loading list of both days', async () => {
    const { id } = await place(MIXED, { deliveries: 2 })
    const isListed = async (day: string) => (await manager.get(`/admin/orders?list_on=${day}`)).text.includes(`/admin/orders/update/${id}"`)
    expect([await isListed(listOn), await isListed(LAST), await isListed(addDays(listOn, 1))]).toEqual([true, true, false])
    const load = new Map((await listDeliveryLoad(db, shop.clock.now)).map(({ day, orders }) => [day, orders]))
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from orders o
      where ${listOn}::date in (deliver_on, first_delivery_on(o))`.execute(db)
    expect(load.get(listOn)).toBe(rows[0]!.count)
    const invoice = (await manager.get(`/admin/orders/invoice/${id}`)).text
    expect(invoice).toContain('First delivery')
    expect(invoice).toContain('Second delivery')
  })

  describe('edited by staff', () => {
    const edit = async (id: number, change: object) => {
      const answer = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5', ...change })
      expect(answer.status, answer.text).toBe(200)
    }
    const only = ({ id }: { id: number }) => ({ products: [{ product_id: id, quantity: 1, base_price: 1, price_on_order: '' }] })

    it('is charged twice in another area, and once when one date is left', async () => {
      const { id } = await place(MIXED, { deliveries: 2 })
      await edit(id, { area_id: dear.id })
      expect(await dates(id)).toMatchObject({ charge: 200 })
      await edit(id, only(langra))
      expect(await dates(id)).toMatchObject({ first: null, charge: 100, total: 300 })
      await edit(id, { area_id: area.id })
      expect(await dates(id)).toMatchObject({ charge: 80 })
    })

    it.each<[string, object, number]>([
      ['the later product taken off', only(cane), 80],
      ['all of it wanted on the later day', { list_on: LAST }, 80],
      ['another area with it', { ...only(cane), area_id: dear.id }, 100],
      ['another charge set with it', { ...only(cane), shipping_cost: 120 }, 120],
      ['the charge emptied with it', { ...only(cane), shipping_cost: '' }, 160],
      ['both left', { note: 'Ring twice' }, 160],
    ])('%s', async (_what, change, charge) => {
      const { id } = await place(MIXED, { deliveries: 2 })
      await edit(id, change)
      expect(await dates(id)).toMatchObject({ charge })
    })

    it('has one date once it is collected, and one charge when it is delivered after all', async () => {
      const { id } = await place(MIXED, { deliveries: 2 })
      await edit(id, { is_collection: true })
      expect(await dates(id)).toMatchObject({ first: null, last: LAST, charge: 0 })
      await edit(id, { is_collection: false, area_id: area.id })
      expect(await dates(id)).toMatchObject({ first: null, last: LAST, charge: 80 })
    })

    it('has both dates when its second delivery is collected, after the day of the first', async () => {
      const { id } = await place(MIXED, { deliveries: 2 })
      const first = addDays(dhakaDate(shop.clock.now), -1)
      await sql`update orders set status = 'processing', list_on = ${first} where id = ${id}`.execute(db)
      await edit(id, { is_collection: true })
      expect(await dates(id)).toMatchObject({ first, last: LAST })
    })

    it('keeps a charge that staff had lowered', async () => {
      const { id } = await place(MIXED, { deliveries: 2 })
      await edit(id, { shipping_cost: 0 })
      await edit(id, only(cane))
      expect(await dates(id)).toMatchObject({ charge: 0 })
    })
  })

  it('has an SMS before each delivery with its products and what it collects', async () => {
    await sql`truncate sms_outbox`.execute(db)
    await sql`delete from orders`.execute(db)
    const single = (await place([[langra.id, 1]], {})).id
    const split = (await place(MIXED, { deliveries: 2 })).id
    await sql`delete from sms_outbox`.execute(db)
    expect([await remind(listOn), await remind(addDays(listOn, 1))]).toEqual([1, 0])
    expect(await told()).toEqual([
      { order_id: split, body: expect.stringMatching(/^Khamar: first delivery of .* tomorrow: Sugarcane\. Due Tk 100\. /) },
    ])
    expect(await remind(LAST)).toBe(2)
    expect(await told()).toEqual([
      { order_id: single, body: expect.stringMatching(/^Khamar: order \d+ arrives tomorrow/) },
      { order_id: split, body: expect.stringMatching(/^Khamar: second delivery of .* tomorrow: Langra\. Due Tk 460\. /) },
    ])
  })

  it('whose deliveries come on two days in a row: the SMS of the second leaves to the first what it collects on that evening', async () => {
    const next = addDays(listOn, 1)
    const litchi = await buildProduct(db, { name_en: 'Litchi', price_poisha: 30_000, status: 'pre-book', delivery_on: next })
    const lines: [number, number][] = [
      [cane.id, 1],
      [litchi.id, 1],
    ]
    const { id } = await place(lines, { deliveries: 2 })
    await told()
    await remind(next)
    const of = (await told()).filter(({ order_id }) => order_id === id)
    expect(of).toEqual([{ order_id: id, body: expect.stringMatching(/^Khamar: second delivery of .* tomorrow: Litchi\. Due Tk 460\. /) }])
    const sheet = await listDeliverySheet(db, { day: next, today: listOn, areaId: null, lang: 'en' })
    expect(sheet.orders.find((order) => order.id === id)).toMatchObject({ due: 460, order_due: 560 })
  })

  it('whose products have a discount on the whole order: each delivery has its share, and the first collects no charge', async () => {
    const { id } = await place(MIXED, { deliveries: 2 })
    const collected = async (discount: string) => {
      const saved = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5', discount })
      expect(saved.status, saved.text).toBe(200)
      const sheets = await Promise.all([listOn, LAST].map((day) => listDeliverySheet(db, { day, today: listOn, areaId: null, lang: 'en' })))
      return sheets.map(({ orders }) => orders.find((order) => order.id === id)?.due)
    }
    expect([
      await collected('0'),
      await collected('150'),
      await collected('100'),
      await collected('100.01'),
      await collected('300'),
    ]).toEqual([
      [100, 360],
      [50, 260],
      [67, 293],
      [67, 292.99],
      [0, 160],
    ])
  })

  it('has its dates in the SMS of placing, but not while it waits for payment', async () => {
    const bodyOf = async (id: number) =>
      (await sql<{ body: string }>`select body from sms_outbox where order_id = ${id} and template = 'order-placed'`.execute(db)).rows[0]!
        .body
    const paid = (await place(MIXED, { deliveries: 2 })).id
    const waits = await shop
      .visitor()
      .post('/customer-orders', orderBody(area.id, MIXED, { payment_type: 'full', payment_gateway: 'pgw', payable_amount: 380 }))
    expect(await bodyOf(paid)).toMatch(/ডেলিভারি: \S+ \S+ ও \S+ \S+।/)
    expect(await bodyOf(waits.body.order_id ?? 0)).toContain('ডেলিভারি: পেমেন্টের পর।')
  })
})

// A seeded random number generator, so that a failure can be repeated.
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

it('has equal dates in cart and database for random carts', async () => {
  const goods = await Promise.all(Array.from({ length: 6 }, () => buildProduct(db)))
  const { id: customer } = await buildUser(db)
  const below = generator(20_261_122)
  const day = () => addDays('2026-11-20', below(6))
  for (let round = 0; round < 150; round += 1) {
    const list = day()
    const deliveries = below(2) + 1
    const lines = goods.slice(0, 1 + below(goods.length)).map(({ id }) => ({ id, on: below(3) === 0 ? null : day() }))
    const { rows: made } = await sql<{ id: number }>`
      insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type,
        payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code, deliveries)
      values (${customer}, 'Rahima', '01811000001', 'House 1', 0, 0, 0, 0, 'cash_on_delivery', 'NONE', 0, ${list}, now(), 'k', ${`random-${round}-0123456789`}, ${deliveries})
      returning id`.execute(db)
    await sql`insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha,
        line_total_poisha, delivery_on)
      select ${made[0]!.id}, n.at, n.id, 'x', 'x', 'kg', 1000, 0, 0, 0, n.day from unnest(${lines.map(({ id }) => id)}::bigint[],
        ${lines.map(({ on }) => on)}::date[]) with ordinality as n(id, day, at)`.execute(db)
    const { rows } = await sql<{ first: string | null; last: string; arrivals: string[] }>`
      select first_delivery_on(o) as first, deliver_on as last, (select json_agg(line_delivery_on(o, l.delivery_on) order by l.position)
        from order_lines l where l.order_id = o.id) as arrivals from orders o where id = ${made[0]!.id}`.execute(db)
    const promised = lines.map(({ on }) => on)
    const last = deliveryDate(list, promised)
    const split = deliveries === 2 ? splitDates(list, promised) : null
    expect({ list, promised, deliveries, ...rows[0] }).toEqual({
      list,
      promised,
      deliveries,
      first: split?.[0] ?? null,
      last,
      arrivals: promised.map((on) => arrivalDate(list, on, last, split)),
    })
  }
  await sql`delete from orders where tracking_code like 'random-%'`.execute(db)
})
