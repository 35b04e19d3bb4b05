import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { findOrderForVisitor } from '#features/orders/queries.server.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// A cow is booked at 200 kg and 550 taka and weighed, and its order is settled.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const category = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: 4 })
await db
  .insertInto('rate_tiers')
  .values([
    { category_id: category.id, season: '', from_grams: 200_000, poisha_per_kg: 55_000 },
    { category_id: category.id, season: '', from_grams: 251_000, poisha_per_kg: 54_000 },
  ])
  .execute()
const weigher = await staff('weigher')
const viewer = await staff('viewer')
const manager = await staff('manager')
const today = '2026-11-20'
afterAll(() => expectInvariants(db))

async function staff(role: 'weigher' | 'viewer' | 'manager') {
  const person = await buildUser(db, { role })
  const visitor = shop.visitor()
  await visitor.signIn(person.phone)
  return visitor
}

const weigh = (id: number, weight_kg: unknown, more: object = {}, who = weigher) =>
  who.post(`/admin/animals/${id}/weigh-ins`, { weight_kg, weighed_on: today, method: 'scale', weighed_by: 'Rafiq', ...more })
const settle = (order: number, animal: number, who = manager) => who.post(`/admin/orders/${order}/settle`, { animal_id: animal })

async function book(animal: number): Promise<number> {
  minuteLater()
  const response = await shop.visitor().post('/customer-orders', orderBody(area.id, [[animal, 1]]))
  expect(response.status, response.text).toBe(200)
  const { rows } = await sql<{ order_id: number }>`select order_id from animal_holds where product_id = ${animal}`.execute(db)
  minuteLater()
  return rows[0]!.order_id
}

const minuteLater = () => (shop.clock.now = new Date(shop.clock.now.getTime() + 60_000))

async function invoice(order: number) {
  const found = await findOrderForVisitor(db, order, { user: null, browser: null, key: null, isPermittedStaff: true }, 'en')
  return found!
}

const product = async (id: number) => (await sql<Record<string, unknown>>`select * from products where id = ${id}`.execute(db)).rows[0]!
const messages = async (order: number) =>
  (await sql<{ body: string }>`select body from sms_outbox where order_id = ${order} and template like 'settled-%'`.execute(db)).rows

let cow: { id: number; tag_number: string | null }
beforeEach(async () => {
  cow = await buildAnimal(db, { category_id: category.id, weight_grams: 200_000, weighed_on: today })
})

describe('a weigh-in', () => {
  it('sets the price of an unbooked animal', async () => {
    expect((await weigh(cow.id, '২৫১.৫')).status).toBe(200)
    expect(await product(cow.id)).toMatchObject({ weight_grams: 251_500, weighed_on: today, price_poisha: 13_581_000 })
  })
  it('that waits for a booking keeps the price of the booking', async () => {
    const order = await book((await buildAnimal(db, { category_id: category.id, weight_grams: 200_000, weighed_on: today })).id)
    const weighed = await db.transaction().execute(async (tx) => {
      await sql`update products set status = 'hold', hold_reason = 'booked', stock_milli = 0 where id = ${cow.id}`.execute(tx)
      await sql`insert into animal_holds (product_id, order_id) values (${cow.id}, ${order})`.execute(tx)
      const answer = weigh(cow.id, 210)
      await untilLockWait(db)
      return { answer }
    })
    expect((await weighed.answer).status).toBe(200)
    expect(await product(cow.id)).toMatchObject({ weight_grams: 210_000, price_poisha: 11_000_000 })
    await sql`delete from animal_holds where product_id = ${cow.id}`.execute(db)
    await sql`update products set status = 'in-stock', hold_reason = null, stock_milli = 1000 where id = ${cow.id}`.execute(db)
  })
  it('of an earlier day changes neither weight nor price', async () => {
    await weigh(cow.id, 210)
    const earlier = await weigh(cow.id, 209, { weighed_on: '2026-01-05', confirmed: true })
    expect(earlier.body).toMatchObject({ animal: { weight_kg: 210, weighed_on: today } })
    expect(await product(cow.id)).toMatchObject({ weight_grams: 210_000, price_poisha: 11_550_000 })
  })
  it('with an unexpected weight needs a confirmation', async () => {
    await weigh(cow.id, 200)
    const asked = await weigh(cow.id, 20)
    expect([asked.status, asked.body.errors]).toEqual([409, { weight_kg: [expect.stringContaining('200')] }])
    expect((await weigh(cow.id, 209.5, { confirmed: true })).status).toBe(200)
  })
  it.each([
    [{ weight_kg: '' }, 'weight_kg'],
    [{ weight_kg: 0 }, 'weight_kg'],
    [{ weight_kg: -3 }, 'weight_kg'],
    [{ weight_kg: 'NaN' }, 'weight_kg'],
    [{ weight_kg: 1e9 }, 'weight_kg'],
    [{ weight_kg: 200.0001 }, 'weight_kg'],
    [{ weighed_on: '2026-02-30' }, 'weighed_on'],
    [{ weighed_on: '2099-01-01' }, 'weighed_on'],
    [{ method: 'guess' }, 'method'],
    [{ weighed_by: '\u200b ' }, 'weighed_by'],
    [{ image_id: 999_999_999 }, 'image_id'],
  ])('%j is rejected at its field', async (wrong, field) => {
    const response = await weigh(cow.id, 201, wrong)
    expect([response.status, Object.keys(response.body.errors ?? {})]).toEqual([422, [field]])
    expect(await product(cow.id)).toMatchObject({ weight_grams: 200_000 })
  })
  it('below every tier has no price and is rejected', async () => {
    expect((await weigh(cow.id, 150, { confirmed: true })).status).toBe(422)
  })
  it('with a price below the discount of the animal is rejected', async () => {
    await sql`update products set discount_kind = 'fixed', discount_value = 10900000 where id = ${cow.id}`.execute(db)
    await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${category.id}, '', 190000, 55000) on conflict do nothing`.execute(
      db,
    )
    const response = await weigh(cow.id, 191, { confirmed: true })
    expect([response.status, Object.keys(response.body.errors ?? {})]).toEqual([422, ['weight_kg']])
  })
  it('needs the permission', async () => {
    expect((await weigh(cow.id, 201, {}, viewer)).status).toBe(403)
    expect((await shop.visitor().post(`/admin/animals/${cow.id}/weigh-ins`, {})).status).toBe(401)
    expect((await weigh(999_999, 201)).status).toBe(404)
  })
})

describe('a settlement', () => {
  it('down to what was paid sells the animal', async () => {
    const free = await buildAnimal(db, {
      category_id: category.id,
      weight_grams: 210_000,
      price_poisha: 11_550_000,
      advance_minimum_poisha: 0,
    })
    const order = await book(free.id)
    const pay = (amount: number, version: number) =>
      manager.post(`/admin/orders/payments/${order}`, { method: 'cash', amount, version, notify: false })
    expect((await pay(111_500, 1)).status).toBe(200)
    expect(await product(free.id)).toMatchObject({ status: 'hold' })
    await weigh(free.id, 200, { confirmed: true })
    expect(await settle(order, free.id)).toMatchObject({ status: 200, body: { due: 0 } })
    expect(await product(free.id)).toMatchObject({ status: 'sold', hold_reason: null, stock_milli: 0 })
  })
  it('raises the price by the gained weight, once, and sends an SMS', async () => {
    const order = await book(cow.id)
    await weigh(cow.id, 210)
    expect(await product(cow.id)).toMatchObject({ weight_grams: 210_000, price_poisha: 11_000_000 })
    const responses = await Promise.all([settle(order, cow.id), settle(order, cow.id), settle(order, cow.id)])
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 409, 409])
    // A conflict brings the settled order.
    for (const { body } of responses) expect(body).toMatchObject({ order: { id: order, due: 117_000 } })
    const printed = await invoice(order)
    expect(printed).toMatchObject({ total: 111_500, paid: 0, settlement: 5500, due: 117_000 })
    expect(printed.settlements).toMatchObject([{ old_kg: 200, new_kg: 210, rate_per_kg: 550, difference: 5500 }])
    expect(await messages(order)).toHaveLength(1)
  })
  it('lowers the price by the lost weight, and can be repeated from there', async () => {
    const order = await book(cow.id)
    await weigh(cow.id, 198.5)
    expect((await settle(order, cow.id)).status).toBe(200)
    expect((await invoice(order)).settlement).toBe(-825)
    await weigh(cow.id, 200)
    expect((await settle(order, cow.id)).status).toBe(200)
    expect(await invoice(order)).toMatchObject({ settlement: 0, due: 111_500 })
    const texts = await messages(order)
    expect(texts).toHaveLength(2)
    // The second text compares with the first weighing, not with the booking.
    expect(JSON.stringify(texts)).toMatch(/২০০ কেজি \(আগে ১৯৮\.৫ কেজি\)/)
  })
  it('of the same weight has no difference, and sends an SMS', async () => {
    const order = await book(cow.id)
    await weigh(cow.id, 200)
    expect((await settle(order, cow.id)).status).toBe(200)
    expect(await invoice(order)).toMatchObject({ settlement: 0, settlements: [{ difference: 0 }] })
  })
  it('keeps its animal on the order: an edit may not take it off', async () => {
    const order = await book(cow.id)
    await weigh(cow.id, 210)
    const rice = await buildProduct(db)
    const edit = async (products: [number, number][]) => {
      const { rows } = await sql<{ version: number }>`select version from orders where id = ${order}`.execute(db)
      const lines = products.map(([product_id, quantity]) => ({ product_id, quantity: String(quantity) }))
      return manager.post(`/admin/orders/update/${order}`, { address: 'Savar', version: rows[0]!.version, products: lines })
    }
    expect((await settle(order, cow.id)).status).toBe(200)
    const refused = await edit([[rice.id, 1]])
    expect([refused.status, refused.body.errors]).toEqual([422, { products: [expect.stringContaining(cow.tag_number!)] }])
    expect(await invoice(order)).toMatchObject({ settlement: 5500, due: 117_000 })
    expect(
      (
        await edit([
          [cow.id, 1],
          [rice.id, 1],
        ])
      ).status,
    ).toBe(200)
    expect(await invoice(order)).toMatchObject({ settlement: 5500 })
  })
  it('needs a weigh-in after the booking, a live order and the permission', async () => {
    await weigh(cow.id, 200)
    const order = await book(cow.id)
    expect((await settle(order, cow.id)).status).toBe(422)
    await weigh(cow.id, 201)
    expect((await settle(order, cow.id, viewer)).status).toBe(403)
    expect((await settle(order, 999_999)).status).toBe(422)
    expect((await settle(999_999, cow.id)).status).toBe(404)
    await sql`update orders set status = 'cancelled', reason = 'x' where id = ${order}`.execute(db)
    expect((await settle(order, cow.id)).status).toBe(422)
    await sql`update orders set status = 'placed', reason = null where id = ${order}`.execute(db)
  })
})
