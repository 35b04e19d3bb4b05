import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { orderOf, signedIn } from '#features/orders/testing/admin-shop.ts'
import { listTasks } from '#features/reports/dashboard-tasks.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildImage, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { findWeighingOfAnimal, listUnsettledWeighings, listWeighingsOfOrder } from './final-weighings.server.ts'
import { findFinalWeighingDays, listDueWeighings } from '../queries.server.ts'

// A cow is booked on 10 November at 200 kg and 550 taka for the 24th. Its final weighing is due on the 20th and counts from the 18th [W3].
// Today is the 20th.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const category = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: 4 })
const unprescribed = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: null })
for (const { id } of [category, unprescribed])
  await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${id}, '', 100000, 55000)`.execute(db)
const [weigher, sales, manager, viewer, cashier] = [
  await signedIn(shop, 'weigher'),
  await signedIn(shop, 'sales'),
  await signedIn(shop, 'manager'),
  await signedIn(shop, 'viewer'),
  await signedIn(shop, 'cashier'),
]
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const secondLater = () => (shop.clock.now = new Date(shop.clock.now.getTime() + 1000))
const deliver = (cow: number, day: string) => sql`update products set delivery_on = ${day} where id = ${cow}`.execute(db)

async function booked(more: object = {}): Promise<{ order: number; cow: number; tag: string }> {
  const cow = await buildAnimal(db, { category_id: category.id, weight_grams: 200_000, delivery_on: '2026-11-24', ...more })
  const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[cow.id, 1]]))
  expect(body.order_id, text).toBeTypeOf('number')
  await sql`update orders set placed_at = '2026-11-10T06:00:00Z' where id = ${body.order_id}`.execute(db)
  secondLater()
  return { order: body.order_id!, cow: cow.id, tag: cow.tag_number ?? '' }
}

async function weigh(cow: number, weighed_on: string, weight_kg: number, more: object = {}) {
  const response = await weigher.post(`/admin/animals/${cow}/weigh-ins`, {
    weight_kg,
    weighed_on,
    method: 'scale',
    weighed_by: 'Rafiq',
    confirmed: true,
    ...more,
  })
  expect(response.status, response.text).toBe(200)
  secondLater()
  return response.body as { weigh_in_id: number; outcome: { state: string; counts_from: string } | null }
}
const settle = (order: number, animal_id: number, who: Visitor = sales, more: object = {}) =>
  who.post(`/admin/orders/${order}/settle`, { animal_id, ...more })
const stateOf = async (order: number) => (await listWeighingsOfOrder(db, order)).map(({ state }) => state)
const unsettled = async () => (await listUnsettledWeighings(db)).rows.map(({ order_id }) => order_id)
const due = async () => (await listDueWeighings(db, shop.clock.now)).rows.map(({ id }) => id)
const tile = async () => (await listTasks(db, shop.clock.now)).find(({ key }) => key === 'settle')
const settlements = async (order: number) =>
  (
    await sql<object>`select old_grams, new_grams, (select amount_poisha from ledger_entries where id = ledger_entry_id) as entry
      from settlements where order_id = ${order} order by at, weigh_in_id`.execute(db)
  ).rows

// Completed orders are on no task list.
beforeEach(() => sql`update orders set status = 'completed' where status not in ('cancelled', 'returned')`.execute(db))

describe('the final weigh-in', () => {
  it('is a weigh-in inside the window; an earlier one does not count, and the response has the first day', async () => {
    const { order, cow } = await booked()
    const early = await weigh(cow, '2026-11-17', 210)
    expect(early.outcome).toMatchObject({ state: 'missing', counts_from: '2026-11-18' })
    expect([await stateOf(order), await unsettled(), (await settle(order, cow)).status]).toEqual([['missing'], [], 422])
    const final = await weigh(cow, '2026-11-18', 211)
    expect(final.outcome).toMatchObject({ state: 'to-settle' })
    expect([await stateOf(order), await unsettled()]).toEqual([['to-settle'], [order]])
  })

  it('depends on the delivery date: with an earlier date an existing weigh-in becomes final', async () => {
    const { order, cow } = await booked({ delivery_on: '2026-12-24' })
    await weigh(cow, '2026-11-19', 210)
    expect([await stateOf(order), await due()]).toEqual([['missing'], []])
    await deliver(cow, '2026-11-25')
    expect([await stateOf(order), await due()]).toEqual([['to-settle'], []])
  })

  it('moves the animal from the list to weigh to the list to settle, which the dashboard counts', async () => {
    const { order, cow } = await booked()
    expect([await due(), await unsettled()]).toEqual([[cow], []])
    const announced = () => findFinalWeighingDays(db, order)
    expect(await announced()).toBe(4)
    expect(await tile()).toMatchObject({ count: 0, href: '/admin/weigh-ins' })
    await weigh(cow, '2026-11-19', 210)
    expect([await due(), await unsettled()]).toEqual([[], [order]])
    expect(await tile()).toMatchObject({ count: 1 })
    expect((await settle(order, cow)).status).toBe(200)
    expect([await due(), await unsettled(), await stateOf(order)]).toEqual([[], [], ['settled']])
    expect(await announced()).toBeNull()
    expect(await tile()).toMatchObject({ count: 0 })
  })

  it('of more animals than are listed is counted for each of them', async () => {
    const [first, second, third] = [await booked(), await booked(), await booked()]
    expect(await listDueWeighings(db, shop.clock.now, 2)).toMatchObject({ rows: [{ id: first.cow }, { id: second.cow }], total: 3 })
    for (const { cow } of [first, second, third]) await weigh(cow, '2026-11-20', 210)
    expect(await listUnsettledWeighings(db, 1)).toMatchObject({ rows: [{ order_id: first.order }], total: 3 })
    const tasks = async () => (await listTasks(db, shop.clock.now)).filter(({ key }) => key === 'weigh' || key === 'settle')
    expect((await tasks()).map(({ key, count }) => [key, count])).toEqual([
      ['weigh', 0],
      ['settle', 3],
    ])
  })

  it('does not count when it is dated or entered before the booking', async () => {
    const { order, cow } = await booked()
    await sql`update orders set placed_at = '2026-11-19T06:00:00Z' where id = ${order}`.execute(db)
    await weigh(cow, '2026-11-18', 260)
    expect(await stateOf(order)).toEqual(['missing'])
    await weigh(cow, '2026-11-19', 205)
    expect(await stateOf(order)).toEqual(['to-settle'])
    await sql`update orders set placed_at = ${shop.clock.now} where id = ${order}`.execute(db)
    expect(await stateOf(order)).toEqual(['missing'])
  })

  it('is the latest of several; an older one that is entered later changes nothing', async () => {
    const { order, cow } = await booked()
    await weigh(cow, '2026-11-19', 212)
    await weigh(cow, '2026-11-18', 290)
    expect(await findWeighingOfAnimal(db, cow)).toMatchObject({
      state: 'to-settle',
      weigh_in: { grams: 212_000, on: '2026-11-19', by: 'Rafiq' },
    })
    expect((await settle(order, cow)).status).toBe(200)
    expect(await settlements(order)).toEqual([{ old_grams: 200_000, new_grams: 212_000, entry: -660_000 }])
  })

  it('of a category without final weighings can settle, and is never due or listed', async () => {
    const { order, cow } = await booked({ category_id: unprescribed.id })
    await weigh(cow, '2026-11-12', 205)
    expect([await stateOf(order), await unsettled(), await due()]).toEqual([['to-settle'], [], []])
    expect((await settle(order, cow)).status).toBe(200)
  })

  it('does not exist for an animal that no order holds by weight', async () => {
    const cow = await buildAnimal(db, { category_id: category.id })
    expect(await findWeighingOfAnimal(db, cow.id)).toBeNull()
    const { order } = await booked({ sold_by_live_weight: false })
    expect(await listWeighingsOfOrder(db, order)).toEqual([])
    expect(await listWeighingsOfOrder(db, 0)).toEqual([])
  })
})

describe('settling', () => {
  it('is possible for sales from the order page', async () => {
    const { order, cow, tag } = await booked()
    await weigh(cow, '2026-11-19', 210)
    const page = await sales.get(`/admin/orders/update/${order}`, { accept: 'text/html' })
    expect(pageProps<{ weighings: unknown[] }>(page.text).weighings).toMatchObject([
      { tag_number: tag, state: 'to-settle', old_grams: 200_000 },
    ])
    const list = await sales.get('/admin/weigh-ins', { accept: 'text/html' })
    expect(pageProps<{ unsettled: object }>(list.text).unsettled).toMatchObject({
      rows: [{ order_id: order, weigh_in: { grams: 210_000 } }],
      total: 1,
    })
    const response = await settle(order, cow)
    expect(response).toMatchObject({ status: 200, body: { old_kg: 200, new_kg: 210, difference: 5500, due: 117_000 } })
    expect(orderOf(response)).toMatchObject({ id: order, due: 117_000 })
  })

  it('needs the permission to write orders, and a token', async () => {
    const { order, cow } = await booked()
    await weigh(cow, '2026-11-19', 210)
    for (const who of [weigher, viewer, cashier]) expect((await settle(order, cow, who)).status).toBe(403)
    expect((await settle(order, cow, shop.visitor())).status).toBe(401)
    expect((await sales.post(`/admin/orders/${order}/settle`, { animal_id: cow }, { token: null })).status).toBe(403)
    for (const body of [{}, { animal_id: 'x' }, { animal_id: cow, weigh_in_id: -1 }, { animal_id: cow, more: 1 }])
      expect((await sales.post(`/admin/orders/${order}/settle`, body)).status).toBe(422)
    expect(await settlements(order)).toEqual([])
  })

  it('happens once for concurrent requests', async () => {
    const { order, cow } = await booked()
    const { weigh_in_id } = await weigh(cow, '2026-11-19', 210)
    const responses = await Promise.all([sales, manager, sales, manager].map((who) => settle(order, cow, who, { weigh_in_id })))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    expect(await settlements(order)).toHaveLength(1)
  })

  it('with a weigh-in that is not the latest is a conflict', async () => {
    const { order, cow } = await booked()
    const first = await weigh(cow, '2026-11-19', 210)
    const next = await weigh(cow, '2026-11-19', 220)
    expect((await settle(order, cow, sales, { weigh_in_id: first.weigh_in_id })).status).toBe(409)
    expect(await settlements(order)).toEqual([])
    expect((await settle(order, cow, sales, { weigh_in_id: next.weigh_in_id })).status).toBe(200)
  })

  it('again after another weighing records the difference to the settled weight', async () => {
    const { order, cow } = await booked()
    await weigh(cow, '2026-11-18', 210)
    expect((await settle(order, cow)).status).toBe(200)
    await weigh(cow, '2026-11-19', 210)
    expect([await stateOf(order), (await settle(order, cow)).status]).toEqual([['settled'], 409])
    await weigh(cow, '2026-11-20', 204)
    expect([await stateOf(order), await unsettled()]).toEqual([['to-settle'], [order]])
    const response = await settle(order, cow)
    expect(response.body).toMatchObject({ old_kg: 210, new_kg: 204, difference: -3300, due: 113_700 })
    expect(await settlements(order)).toEqual([
      { old_grams: 200_000, new_grams: 210_000, entry: -550_000 },
      { old_grams: 210_000, new_grams: 204_000, entry: 330_000 },
    ])
  })

  it('stays when the delivery date is moved away from the weighing', async () => {
    const { order, cow } = await booked()
    await weigh(cow, '2026-11-19', 210)
    await settle(order, cow)
    await sql`update products set delivery_on = '2027-01-20' where id = ${cow}`.execute(db)
    expect([await stateOf(order), await unsettled(), (await settle(order, cow)).status]).toEqual([['settled'], [], 409])
  })

  it('is possible until the order is completed', async () => {
    const { order, cow } = await booked()
    await weigh(cow, '2026-11-19', 210)
    await sql`update orders set status = 'delivered' where id = ${order}`.execute(db)
    expect(await unsettled()).toEqual([order])
    await sql`update orders set status = 'completed' where id = ${order}`.execute(db)
    expect([await unsettled(), await stateOf(order), (await settle(order, cow)).status]).toEqual([[], [], 422])
  })
})

it('a weigh-in has its photo, and the lists show it', async () => {
  const { cow } = await booked()
  const token = 'c'.repeat(32)
  const image = await buildImage(db, { token })
  await weigh(cow, '2026-11-19', 210, { image_id: image.id })
  const picture_url = `/uploads/${token}-800.webp`
  expect(await findWeighingOfAnimal(db, cow)).toMatchObject({ weigh_in: { picture_url } })
  const page = await weigher.get('/admin/weigh-ins', { accept: 'text/html' })
  expect(pageProps<{ recent: unknown[] }>(page.text).recent[0]).toMatchObject({ product_id: cow, picture_url })
})

it('a weigher learns what a weigh-in means for the order, and neither its customer nor its money', async () => {
  const { order, cow, tag } = await booked()
  const page = async (who: Visitor) =>
    pageProps<{ due: { rows: { customer: string | null }[] }; weighing: object | null; unsettled: { rows: object[] } }>(
      (await who.get(`/admin/weigh-ins?animal=${cow}`, { accept: 'text/html' })).text,
    )
  const customer = (await db.selectFrom('orders').select('name').where('id', '=', order).executeTakeFirstOrThrow()).name
  expect([(await page(weigher)).due.rows, (await page(sales)).due.rows]).toMatchObject([[{ customer: null }], [{ customer }]])
  const body = { weight_kg: 210, weighed_on: '2026-11-19', method: 'scale', weighed_by: 'Rafiq', confirmed: true }
  const own = await weigher.post(`/admin/animals/${cow}/weigh-ins`, body)
  expect(own.body).toMatchObject({ weighing: null, outcome: { order_id: order, state: 'to-settle', counts_from: expect.any(String) } })
  const theirs = await manager.post(`/admin/animals/${cow}/weigh-ins`, { ...body, weight_kg: 211 })
  expect(theirs.body).toMatchObject({ weighing: { customer, rate: expect.any(Number) } })
  const [seen, read] = [await page(weigher), await page(sales)]
  expect([seen.weighing, seen.unsettled.rows, read.weighing]).toEqual([null, [], expect.objectContaining({ tag_number: tag, customer })])
  expect(JSON.stringify([seen, own.body])).not.toContain(customer)
})
