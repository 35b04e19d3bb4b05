import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { SettingsNow } from '#features/settings/queries.server.ts'
import type { AreaRecord } from './queries.server.ts'

// The weekdays on which an area is served: one rule for the website, phone orders and the POS.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
const sales = await signedIn(shop, 'sales')
const cashier = await signedIn(shop, 'cashier')
await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
const mango = await buildProduct(db, { price_poisha: 10_000 })
afterAll(() => expect(shop.failures).toEqual([]))

const today = dhakaDate(shop.clock.now)
shop.clock.now = new Date(`${today}T12:00:00+06:00`)
const day = (count: number) => addDays(today, count)
const weekday = (on: string) => new Date(on).getUTCDay()
/** Tomorrow and the day after are not served. */
const CLOSED = [weekday(day(1)), weekday(day(2))].sort()

let area: { id: number }
beforeEach(async () => {
  area = await buildArea(db, { produce: 80 })
})
const form = (more: object = {}) => ({
  name_en: 'Savar',
  name_bn: 'সাভার',
  active: true,
  position: 1,
  cattle: { kind: 'own' },
  produce: { kind: 'set', charge: 80 },
  ...more,
})
const change = (more: object, version = 1) => manager.post(`/admin/areas/${area.id}`, { ...form(more), version })
const closedOf = async () =>
  (await sql<{ closed_weekdays: number[] }>`select closed_weekdays from areas where id = ${area.id}`.execute(db)).rows[0]
const dayOf = async (id: number | undefined) =>
  (await sql<{ day: string }>`select to_char(deliver_on, 'YYYY-MM-DD') as day from orders where id = ${id}`.execute(db)).rows[0]?.day

describe('the form of an area', () => {
  it('stores the closed weekdays once, in their order; an older form without the field leaves them', async () => {
    const changed = await change({ closed_weekdays: [5, 1, 5] })
    expect(changed.body).toMatchObject({ area: { closed_weekdays: [1, 5], version: 2 } })
    expect((await change({}, 2)).status).toBe(200)
    expect(await closedOf()).toEqual({ closed_weekdays: [1, 5] })
    const page = await manager.get(`/admin/areas/${area.id}`, { accept: 'text/html' })
    expect(pageProps<{ area: AreaRecord }>(page.text).area.closed_weekdays).toEqual([1, 5])
    expect((await manager.post('/admin/areas/store', form())).body).toMatchObject({ area: { closed_weekdays: [] } })
  })

  it.each([[[7]], [[-1]], [[1.5]], [['1']], ['all'], [null], [[0, 1, 2, 3, 4, 5, 6]], [Array(5000).fill(1)]])(
    'rejects %j',
    async (sent) => {
      const answer = await change({ closed_weekdays: sent })
      expect([answer.status, Object.keys(answer.body.errors ?? {})[0]]).toEqual([422, expect.stringMatching(/^closed_weekdays/)])
      expect(await closedOf()).toEqual({ closed_weekdays: [] })
    },
  )

  it('leaves a day on which the shop delivers, and so do the settings', async () => {
    const owner = await signedIn(shop, 'owner')
    const read = async () =>
      pageProps<{ now: SettingsNow }>((await owner.get('/admin/settings?part=delivery', { accept: 'text/html' })).text).now
    const closeShop = async (closed_weekdays: number[]) => {
      const { values, settingsHash } = await read()
      const body = { ...values, delivery_days: { ...values.delivery_days, closed_weekdays }, settingsHash }
      return owner.post('/admin/settings/delivery', body)
    }
    const onlyFriday = { closed_weekdays: [0, 1, 2, 3, 4, 6] }
    expect((await change(onlyFriday)).status).toBe(200)
    expect((await closeShop([5])).body.errors).toEqual({
      'delivery_days.closed_weekdays': ['No delivery day would be left for: Savar. Change the days of the area first.'],
    })
    expect((await change({ closed_weekdays: [0] }, 2)).status).toBe(200)
    expect((await closeShop([5])).status).toBe(200)
    const text = ['The whole shop is closed on these weekdays. Choose another one.']
    expect((await change(onlyFriday, 3)).body.errors).toEqual({ closed_weekdays: text })
    expect((await manager.post('/admin/areas/store', form(onlyFriday))).body.errors).toEqual({ closed_weekdays: text })
    expect((await change({ ...onlyFriday, active: false }, 3)).status).toBe(200)
    // Without days in the body those of the area count.
    expect((await change({}, 4)).body.errors).toEqual({ closed_weekdays: text })
    expect((await closeShop([])).status).toBe(200)
  })

  it('is for staff who may write the catalog', async () => {
    expect((await cashier.post(`/admin/areas/${area.id}`, { ...form({ closed_weekdays: [1] }), version: 1 })).status).toBe(403)
  })

  it('a closed week is refused by the database too', async () => {
    await expect(sql`update areas set closed_weekdays = '{0,1,2,3,4,5,6}' where id = ${area.id}`.execute(db)).rejects.toThrow(
      /areas_closed_weekdays/,
    )
    await expect(sql`update areas set closed_weekdays = '{9}' where id = ${area.id}`.execute(db)).rejects.toThrow(/areas_closed_weekdays/)
  })
})

describe('an area that is not served tomorrow and the day after', () => {
  beforeEach(async () => {
    expect((await change({ closed_weekdays: CLOSED })).status).toBe(200)
  })

  it('is offered with them on the website, which refuses those days and comes on the third', async () => {
    const listed = JSON.parse((await shop.get('/api/areas?active=true')).text) as { id: number; closed_weekdays?: number[] }[]
    expect(listed.find(({ id }) => id === area.id)?.closed_weekdays).toEqual(CLOSED)
    const place = (more: object) =>
      shop.post(
        '/customer-orders',
        orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', ...more }),
      )
    const refused = await place({ delivery_on: day(2) })
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { delivery_on: [expect.any(String)] }, next_delivery_on: day(3) }])
    const placed = await place({})
    expect(await dayOf(placed.body.order_id)).toBe(day(3))
  })

  it('is served on the third day by a phone order without a day', async () => {
    const body = {
      name: 'Karim',
      phone: '01719999996',
      area_id: area.id,
      address: 'House 4',
      products: [{ product_id: mango.id, quantity: 1, price_on_order: 100 }],
    }
    const answer = await sales.post('/admin/orders/store', { ...body, status: 'placed' })
    expect([answer.status, answer.body.message]).toEqual([200, expect.any(String)])
    expect(await dayOf(answer.body.order_id)).toBe(day(3))
  })

  it('is served by the POS on the third day at the earliest', async () => {
    const sell = (more: object) =>
      cashier.post('/admin/quick-orders/store', {
        products: [{ id: mango.id, quantity: '1', price: 100 }],
        transactions: { cash: 180 },
        total: 180,
        shipping_cost: 80,
        customer: { phone: '01719999997' },
        delivery: { area_id: area.id, address: 'House 4', ...more },
      })
    expect((await sell({ day: day(1) })).body.errors).toHaveProperty(['delivery.day'])
    expect(await dayOf((await sell({})).body.order_id)).toBe(day(3))
  })
})
