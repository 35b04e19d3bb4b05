import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// A weigh-in of the wrong animal or day is taken back.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T12:00:00+06:00')
const area = await buildArea(db, { cattle: 1500 })
const beef = await buildCategory(db, { key: 'beef', final_weighing_days: 2 })
await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${beef.id}, '', 100000, 55000)`.execute(db)
const weigher = await signedIn(shop, 'weigher')
const manager = await signedIn(shop, 'manager')
const sales = await signedIn(shop, 'sales')
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

let cow: number
beforeEach(async () => {
  cow = (await buildAnimal(db, { category_id: beef.id, weight_grams: null, sold_by_live_weight: true, season: '' })).id
})

const weigh = async (weight_kg: number, weighed_on: string, animal = cow) => {
  const body = { weight_kg, weighed_on, method: 'scale', weighed_by: 'Rafiq', confirmed: true }
  const answer = await weigher.post(`/admin/animals/${animal}/weigh-ins`, body)
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as unknown as { weigh_in_id: number }).weigh_in_id
}
const remove = async (weighIn: number, { animal = cow, who = weigher } = {}) =>
  who.send('DELETE', `/admin/animals/${animal}/weigh-ins/${weighIn}`, undefined, {
    headers: { 'x-csrf-token': await who.token(), accept: 'application/json' },
  })
const state = async () => {
  const { rows } = await sql`select weight_grams, weighed_on, price_poisha from products where id = ${cow}`.execute(db)
  return rows[0]
}

describe('a weigh-in', () => {
  it('that was the latest gives weight, day and price back to the one before; an earlier one changes nothing', async () => {
    const first = await weigh(200, '2026-11-10')
    const wrong = await weigh(300, '2026-11-19')
    expect(await state()).toMatchObject({ weight_grams: 300_000, price_poisha: 16_500_000 })
    expect((await remove(wrong)).status).toBe(200)
    expect(await state()).toEqual({ weight_grams: 200_000, weighed_on: '2026-11-10', price_poisha: 11_000_000 })
    const { rows } = await sql`select action, subject_id, before, after from audit_log order by id desc limit 1`.execute(db)
    expect(rows).toEqual([
      {
        action: 'weigh-in-deleted',
        subject_id: String(cow),
        before: { grams: 300_000, price_poisha: 16_500_000, weigh_in: { id: wrong, grams: 300_000, on: '2026-11-19', method: 'scale' } },
        after: { grams: 200_000, price_poisha: 11_000_000 },
      },
    ])
    await weigh(205, '2026-11-18')
    expect((await remove(first)).status).toBe(200)
    expect(await state()).toMatchObject({ weight_grams: 205_000, weighed_on: '2026-11-18' })
    expect((await remove(first)).status).toBe(404)
  })

  it('that is the only one, or whose animal would have no price, stays', async () => {
    const light = await weigh(120, '2026-11-10')
    expect(await remove(light)).toMatchObject({ status: 409, body: { message: expect.stringMatching(/only weigh-in/) } })
    const heavy = await weigh(150, '2026-11-12')
    await sql`update rate_tiers set from_grams = 140000 where category_id = ${beef.id}`.execute(db)
    expect(await remove(heavy)).toMatchObject({ status: 409, body: { message: expect.stringMatching(/no rate/) } })
    await sql`update rate_tiers set from_grams = 100000 where category_id = ${beef.id}`.execute(db)
    await sql`update products set discount_kind = 'fixed', discount_value = 7000000 where id = ${cow}`.execute(db)
    expect(await remove(heavy)).toMatchObject({ status: 409, body: { message: expect.stringMatching(/below its discount/) } })
    expect(await state()).toMatchObject({ weight_grams: 150_000, price_poisha: 8_250_000 })
  })

  it('of a booked animal leaves the price of the booking; one that settled the order stays', async () => {
    await weigh(200, '2026-11-18')
    const { body } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[cow, 1]]))
    shop.clock.now = new Date('2026-11-20T12:05:00+06:00')
    const wrong = await weigh(260, '2026-11-20')
    expect((await remove(wrong)).status).toBe(200)
    expect(await state()).toMatchObject({ weight_grams: 200_000, price_poisha: 11_000_000 })
    const right = await weigh(210, '2026-11-20')
    const settle = () => manager.post(`/admin/orders/${body.order_id}/settle`, { animal_id: cow, weigh_in_id: right })
    const [settled, removed] = await Promise.all([settle(), remove(right)])
    if (settled.status === 200) expect(removed.status).toBe(409)
    else expect([settled.status, removed.status].join()).toMatch(/^4(09|22),200$/)
    if (removed.status === 200) return
    expect(await remove(right)).toMatchObject({ status: 409, body: { message: expect.stringMatching(/settled/) } })
  })

  it('of another animal is not found; who may not weigh may not delete', async () => {
    const other = (await buildAnimal(db, { category_id: beef.id, weight_grams: null })).id
    const foreign = await weigh(200, '2026-11-18', other)
    await weigh(210, '2026-11-19', other)
    expect((await remove(foreign)).status).toBe(404)
    expect((await remove(foreign, { animal: other, who: sales })).status).toBe(403)
    expect((await remove(foreign, { animal: other })).status).toBe(200)
  })
})
