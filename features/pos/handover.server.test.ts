import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { storeSettings } from '#test/settings.ts'
import { requestHash } from '#lib/http/idempotency-key.server.ts'
import { saleBody } from './forms.ts'
import { plainText } from './testing/plain-text.ts'

// POS sales that are delivered or collected later, on a day by the rule of the website.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const honey = await buildProduct(db, { unit: 'kg', price_poisha: 12_000 })
const cashier = await signedIn(shop, 'cashier')
await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
const manager = await signedIn(shop, 'manager')
afterAll(() => expect(shop.failures).toEqual([]))

// Noon, so that the list day is tomorrow.
const today = dhakaDate(shop.clock.now)
shop.clock.now = new Date(`${today}T12:00:00+06:00`)
const day = (count: number) => addDays(today, count)

const SETTINGS = {
  delivery_days: { ahead: 14, closed_weekdays: [], capacity: { cattle: 0, produce: 0 } },
  collection: { is_offered: true, address: { en: 'The farm, Savar', bn: 'খামার, সাভার' }, note: { en: '', bn: '' } },
}
const readHome = async () => (await shop.get('/', { accept: 'text/html' })).text
const set = (settings: Record<string, unknown>) => storeSettings(db, readHome, settings)
beforeEach(() => set(SETTINGS))

type Sent = Record<string, unknown>
const delivery = (more: Sent = {}) => ({ area_id: area.id, address: 'House 4', ...more })
const sale = (more: Sent = {}, charge = 0): Sent => ({
  products: [{ id: honey.id, quantity: '2', price: 120 }],
  transactions: { cash: 240 + charge, bkash: 0, bank: 0 },
  discount: 0,
  sub_total: 240,
  shipping_cost: charge,
  total: 240 + charge,
  customer: { phone: '01712345678', name: 'Rahima', email: '' },
  ...more,
})
const store = (body: Sent, key?: string) =>
  cashier.post('/admin/quick-orders/store', body, key ? { headers: { 'idempotency-key': key } } : {})
const orderOf = async (id: number | undefined) =>
  (
    await sql`select status, to_char(list_on, 'YYYY-MM-DD') as list_on, to_char(deliver_on, 'YYYY-MM-DD') as deliver_on, is_collection, area_id,
      address, shipping_poisha::int as charge from orders where id = ${id}`.execute(db)
  ).rows[0]
/** A sale that is rejected and writes nothing: the errors by field. */
async function rejected(body: Sent) {
  const count = async () => (await sql<{ n: number }>`select count(*)::int as n from orders`.execute(db)).rows[0]?.n
  const before = await count()
  const answer = await store(body)
  expect([answer.status, await count()]).toEqual([422, before])
  return answer.body.errors
}

describe('a delivery', () => {
  it('comes on the chosen day, at the charge of the area', async () => {
    const answer = await store(sale({ delivery: delivery({ day: day(3) }) }, 80))
    expect(answer.status).toBe(200)
    const place = { is_collection: false, area_id: area.id, address: 'House 4', charge: 8000 }
    expect(await orderOf(answer.body.order_id)).toEqual({ status: 'processing', list_on: day(3), deliver_on: day(3), ...place })
    const receipt = await cashier.get(answer.body.redirect ?? '', { accept: 'text/html' })
    expect(receipt.text).toMatch(/Expected delivery: [^<]*\d/)
  })

  it('without a day comes on the first possible one', async () => {
    const closed = [1, 2].map((count) => new Date(day(count)).getUTCDay())
    await set({ delivery_days: { ...SETTINGS.delivery_days, closed_weekdays: closed } })
    const answer = await store(sale({ delivery: delivery() }, 80))
    expect(await orderOf(answer.body.order_id)).toMatchObject({ list_on: day(3), deliver_on: day(3) })
  })

  it('follows the date of its product', async () => {
    const later = await buildProduct(db, { unit: 'kg', price_poisha: 12_000, delivery_on: day(6) })
    const products = [{ id: later.id, quantity: '2', price: 120 }]
    expect(await rejected(sale({ products, delivery: delivery({ day: day(3) }) }, 80))).toHaveProperty(['delivery.day'])
    const answer = await store(sale({ products, delivery: delivery({ day: day(7) }) }, 80))
    expect(await orderOf(answer.body.order_id)).toMatchObject({ deliver_on: day(7) })
  })

  it.each([
    ['yesterday', day(-1)],
    ['today', day(0)],
    ['beyond the calendar', day(15)],
  ])('is rejected for a day that is not possible: %s', async (_name, chosen) => {
    expect(await rejected(sale({ delivery: delivery({ day: chosen }) }, 80))).toEqual({
      'delivery.day': [expect.stringMatching(/^This day is no longer possible\. The next possible day is .*\d/)],
    })
  })

  it.each(['', 'tomorrow', '2026-02-31', 7, null, {}, '2026-01-01T00:00:00Z', '9'.repeat(5000)])(
    'is rejected for the day %j',
    async (typed) => {
      expect(await rejected(sale({ delivery: delivery({ day: typed }) }, 80))).toHaveProperty(['delivery.day'])
    },
  )

  it('on a closed weekday, or a full day, is rejected', async () => {
    await set({ delivery_days: { ...SETTINGS.delivery_days, closed_weekdays: [new Date(day(4)).getUTCDay()] } })
    expect(await rejected(sale({ delivery: delivery({ day: day(4) }) }, 80))).toHaveProperty(['delivery.day'])
    await set({ delivery_days: { ...SETTINGS.delivery_days, capacity: { cattle: 0, produce: 1 } } })
    expect((await store(sale({ delivery: delivery({ day: day(5) }) }, 80))).status).toBe(200)
    expect(await rejected(sale({ delivery: delivery({ day: day(5) }) }, 80))).toHaveProperty(['delivery.day'])
  })

  it('that was sold without network is checked when it arrives', async () => {
    const soldAt = new Date(shop.clock.now.getTime() - 60_000).toISOString()
    const queued = (chosen: string) => store(sale({ delivery: delivery({ day: chosen }), sold_at: soldAt }, 80))
    const late = await queued(day(0))
    expect([late.status, Object.keys(late.body.errors ?? {})]).toEqual([422, ['delivery.day']])
    expect((await queued(day(2))).status).toBe(200)
  })
})

describe('a collection', () => {
  it('has no charge and no area, waits at the farm for the chosen day, and takes no place of a day', async () => {
    await set({ delivery_days: { ...SETTINGS.delivery_days, capacity: { cattle: 0, produce: 1 } } })
    for (const collection of [{ day: day(8) }, { day: day(8) }, {}]) {
      const answer = await store(sale({ collection }))
      expect(answer.status).toBe(200)
      expect(await orderOf(answer.body.order_id)).toEqual({
        status: 'processing',
        list_on: collection.day ?? day(1),
        deliver_on: collection.day ?? day(1),
        is_collection: true,
        area_id: null,
        address: 'The farm, Savar',
        charge: 0,
      })
      const receipt = await cashier.get(answer.body.redirect ?? '', { accept: 'text/html' })
      expect(receipt.text).toMatch(/Ready to collect: [^<]*\d/)
      expect(plainText(receipt.text)).toContain('Collect at: The farm, Savar')
    }
  })

  it('needs a phone, a possible day, and that the shop offers it; never together with a delivery', async () => {
    await set({ collection: { ...SETTINGS.collection, is_offered: false } })
    expect(await rejected(sale({ collection: {} }))).toHaveProperty('collection')
    await set({ collection: SETTINGS.collection })
    expect(await rejected(sale({ collection: {}, delivery: delivery() }, 80))).toHaveProperty('collection')
    expect(await rejected(sale({ collection: { day: day(0) } }))).toHaveProperty(['collection.day'])
    for (const typed of [true, 'yes', [], { day: 1 }, { place: 'here' }])
      expect(Object.keys((await rejected(sale({ collection: typed }))) ?? {})[0]).toMatch(/^collection/)
    await set({ walk_in_sales: true })
    const walkIn = { phone: '', name: '', email: '', walk_in: true }
    expect(await rejected(sale({ collection: {}, customer: walkIn }))).toHaveProperty(['customer.phone'])
    expect((await store(sale({ customer: walkIn }))).status).toBe(200)
    expect((await store(sale({ customer: walkIn }))).status).toBe(200)
  })
})

it('a repeated sale of a device that knows no days is the same request', async () => {
  const body = sale({ delivery: delivery() }, 80)
  const read = saleBody.parse(body)
  expect([Object.keys(read).includes('collection'), Object.keys(read.delivery ?? {})]).toEqual([false, ['area_id', 'address']])
  expect(requestHash(saleBody.parse({ ...body, collection: undefined }))).toBe(requestHash(read))
  const key = 'b2f0b7de-7f1f-4a55-9c55-0d8f6a2f9d10'
  const first = await store(body, key)
  const again = await store(body, key)
  expect([first.status, again.body.order_id]).toEqual([200, first.body.order_id])
  // Another day under the same key is another request.
  expect((await store(sale({ delivery: delivery({ day: day(5) }) }, 80), key)).status).toBe(409)
})

it('the page of the POS knows the days', async () => {
  const page = await manager.get('/admin/quick-orders', { accept: 'text/html' })
  expect(page.text).toContain('"isCollectionOffered":true')
})
