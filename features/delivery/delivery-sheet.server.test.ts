import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { move, orderAt, takeBack } from '#features/orders/testing/delivered-order.ts'
import { listDate } from '#features/orders/list-date.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { addDays } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { listDeliverySheet } from './delivery-sheet.server.ts'
import { loadOf, type SheetOrder, stopsOf } from './delivery-sheet-rules.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const manager = await signedIn(shop, 'manager')
const mirpur = await buildArea(db, { name_en: 'Mirpur', produce: 80, cattle: 1500 })
const banani = await buildArea(db, { name_en: 'Banani', produce: 80, cattle: 1500 })
const listOn = listDate(shop.clock.now, DEFAULT_SETTINGS.cutoff_hour)
const LAST = addDays(listOn, 4)
const cane = await buildProduct(db, { name_en: 'Sugarcane', price_poisha: 10_000 })
const langra = await buildProduct(db, { name_en: 'Langra', price_poisha: 20_000, delivery_on: LAST })
const CASH = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }

async function place(areaId: number, lines: [number, number][], more: object = {}) {
  const { body, text } = await shop.visitor().post('/customer-orders', orderBody(areaId, lines, { ...CASH, ...more }))
  if (!body.order_id) throw new Error(text)
  return body.order_id
}
const sheetOf = async (query: string, visitor = manager) => {
  const { status, text } = await visitor.get(`/admin/orders/delivery-sheet?${query}`, { accept: 'text/html' })
  expect(status).toBe(200)
  return pageProps<{ day: string; orders: SheetOrder[]; isCut: boolean; listHref: string }>(text)
}
const shown = ({ orders }: { orders: SheetOrder[] }) =>
  orders.map(({ id, area, part, due, lines }) => [
    id,
    area,
    part,
    due,
    lines.map(({ name, quantity_milli }) => `${name} ${quantity_milli}`),
  ])

describe('the delivery sheet', () => {
  it('leaves out what came back of an order that is on its way', async () => {
    const area = await buildArea(db, { name_en: 'Uttara', produce: 80 })
    const honey = await buildProduct(db, { name_en: 'Honey', price_poisha: 40_000 })
    const lines: [number, number][] = [
      [cane.id, 5],
      [honey.id, 1],
    ]
    const id = await orderAt(manager, { areaId: area.id, lines, paid: 0, status: 'on_delivery' })
    const sheet = async () => shown(await sheetOf(`list_on=${listOn}&area_id=${area.id}`))
    expect(await sheet()).toEqual([[id, 'Uttara', 'only', 980, ['Sugarcane 5000', 'Honey 1000']]])
    const back = [
      { product_id: cane.id, quantity: 2 },
      { product_id: honey.id, quantity: 1 },
    ]
    const answer = await takeBack(manager, id, back)
    expect(answer.status, answer.text).toBe(200)
    expect(await sheet()).toEqual([[id, 'Uttara', 'only', 380, ['Sugarcane 3000']]])
    await move(manager, id, 'delivered')
  })

  it('has the expected deliveries of a day by area, of two deliveries the products of that day', async () => {
    const far = await place(mirpur.id, [[cane.id, 2]])
    const split = await place(
      banani.id,
      [
        [cane.id, 1],
        [langra.id, 3],
      ],
      { deliveries: 2 },
    )
    const animal = await buildAnimal(db, { tag_number: 'K-7', name_en: 'Red cow' })
    const stored = await manager.post('/admin/orders/store', storeBody(banani.id, [[animal.id, 1]]))
    const phoned = stored.body.order_id!
    await place(mirpur.id, [[cane.id, 1]], { payment_type: 'full', payment_gateway: 'pgw', payable_amount: 180 })
    const inReview = await place(mirpur.id, [[cane.id, 1]])
    await sql`insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, state, created_at, updated_at)
      values (${inReview}, 'sslcommerz', 'in-review', 18000, 'review', now(), now())`.execute(db)
    const cancelled = await place(mirpur.id, [[cane.id, 1]])
    await manager.post('/admin/orders/status', {
      orders: [{ id: cancelled, version: 1 }],
      status: 'cancelled',
      reason: 'Changed their mind',
    })

    const first = await sheetOf(`list_on=${listOn}`)
    const due = first.orders.find(({ id }) => id === phoned)!.due
    expect(due).toBeGreaterThan(0)
    expect([first.day, first.isCut, first.listHref]).toEqual([listOn, false, `/admin/orders?list_on=${listOn}`])
    expect(shown(first)).toEqual([
      [split, 'Banani', 'first', 100, ['Sugarcane 1000']],
      [phoned, 'Banani', 'only', due, ['Red cow 1000']],
      [far, 'Mirpur', 'only', 280, ['Sugarcane 2000']],
    ])
    expect(shown(await sheetOf(`list_on=${LAST}`))).toEqual([[split, 'Banani', 'last', 760, ['Langra 3000']]])
    expect(shown(await sheetOf(`list_on=${listOn}&area_id=${mirpur.id}`)).map(([id]) => id)).toEqual([far])
    expect(loadOf(first.orders).map(({ name, tag, quantity_milli }) => [name, tag, quantity_milli])).toEqual([
      ['Red cow', 'K-7', 1000],
      ['Sugarcane', null, 3000],
    ])
    expect(stopsOf(first.orders).map((stop) => [stop.area, stop.orders.length, stop.due])).toEqual([
      ['Banani', 2, 100 + due],
      ['Mirpur', 1, 280],
    ])
  })

  it('two deliveries collect the amount due together, and money that came counts for the first', async () => {
    const split = await place(
      banani.id,
      [
        [cane.id, 2],
        [langra.id, 1],
      ],
      { deliveries: 2 },
    )
    const toCollect = async () => {
      const rows = await Promise.all(
        [listOn, LAST].map(async (day) => (await sheetOf(`list_on=${day}`)).orders.find(({ id }) => id === split)!),
      )
      return rows.map((row) => [row.due, row.order_due])
    }
    const pay = async (amount: number) => {
      const { rows } = await sql<{ version: number }>`select version from orders where id = ${split}`.execute(db)
      const body = { method: 'cash', amount, version: rows[0]!.version, notify: false }
      expect((await manager.post(`/admin/orders/payments/${split}`, body)).status).toBe(200)
    }
    expect(await toCollect()).toEqual([
      [200, 560],
      [360, 560],
    ])
    await pay(150)
    expect(await toCollect()).toEqual([
      [50, 410],
      [360, 410],
    ])
    // Once the day of the first delivery has passed, the last one collects what the first has not.
    const sheet = await listDeliverySheet(db, { day: LAST, today: LAST, areaId: null, lang: 'en' })
    expect(sheet.orders.find(({ id }) => id === split)).toMatchObject({ due: 410, order_due: 410, part: 'last' })
    await pay(100)
    expect(await toCollect()).toEqual([
      [0, 310],
      [310, 310],
    ])
    await pay(310)
    expect(await toCollect()).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  it('two areas of one name are two stops', async () => {
    const areas = [await buildArea(db, { name_en: 'Kaliganj', produce: 80 }), await buildArea(db, { name_en: 'Kaliganj', produce: 90 })]
    const ids: number[] = []
    for (const area of [0, 1, 0]) ids.push(await place(areas[area]!.id, [[cane.id, 1]]))
    const { orders } = await sheetOf(`list_on=${listOn}`)
    const stops = stopsOf(orders).filter(({ area }) => area === 'Kaliganj')
    expect(stops.map((stop) => [stop.area_id, stop.due, stop.orders.map(({ id }) => id)])).toEqual([
      [areas[0]!.id, 360, [ids[0], ids[2]]],
      [areas[1]!.id, 190, [ids[1]]],
    ])
  })

  it('is of today without a day or with a wrong one, and for staff who read orders alone', async () => {
    expect([(await sheetOf('')).day, (await sheetOf('list_on=2026-02-30')).day]).toEqual(['2026-11-20', '2026-11-20'])
    const weigher = await signedIn(shop, 'weigher')
    for (const visitor of [weigher, shop.visitor()]) {
      const { status, text } = await visitor.get(`/admin/orders/delivery-sheet?list_on=${listOn}`, { accept: 'text/html' })
      expect(status).not.toBe(200)
      expect(text).not.toContain('Banani')
    }
  })
})
