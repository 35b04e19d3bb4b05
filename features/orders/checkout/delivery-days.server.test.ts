import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS, type Settings } from '#features/settings/settings.ts'
import { addDays, dhakaDate, dhakaInstant } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { storeSettings } from '#test/settings.ts'
import { sendDeliveryReminders } from '#features/delivery/delivery-reminders.server.ts'
import { signedIn, storeBody } from '../testing/admin-shop.ts'
import { listDate } from '../list-date.ts'

// The chosen delivery day, days without capacity, and collection at the farm.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})
const area = await buildArea(db, { produce: 80 })
const cane = await buildProduct(db, { name_en: 'Sugarcane', price_poisha: 10_000 })
const listOn = listDate(shop.clock.now, DEFAULT_SETTINGS.cutoff_hour)
const CASH = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const COLLECTION: Settings['collection'] = { is_offered: true, address: { en: 'Farm gate', bn: 'খামারের গেট' }, note: { en: '', bn: '' } }

const owner = await signedIn(shop, 'owner')
const { ahead, closed_weekdays, capacity } = DEFAULT_SETTINGS.delivery_days

async function saveSettings(part: Partial<Settings['delivery_days']> = {}, collection = COLLECTION) {
  const page = (await owner.get('/admin/settings?part=delivery', { accept: 'text/html' })).text
  const { settingsHash } = pageProps<{ now: { settingsHash: string } }>(page).now
  return owner.post('/admin/settings/delivery', { delivery_days: { ahead, closed_weekdays, capacity, ...part }, collection, settingsHash })
}

beforeEach(async () => {
  await sql`update orders set status = 'cancelled', reason = 'test' where status = 'placed'`.execute(db)
  expect((await saveSettings()).status).toBe(200)
})

async function place(more: object, client = shop.visitor()) {
  const answer = await client.post('/customer-orders', orderBody(area.id, [[cane.id, 1]], { ...CASH, ...more }))
  return { ...answer, id: answer.body.order_id ?? 0, next: (answer.body as { next_delivery_on?: string | null }).next_delivery_on }
}
const order = (id: number) =>
  db
    .selectFrom('orders')
    .select(['list_on', 'deliver_on', 'is_collection', 'shipping_poisha', 'total_poisha', 'area_id', 'address', 'landmark'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

describe('the delivery day', () => {
  it('is the chosen one, and without a choice the earliest', async () => {
    const day = addDays(listOn, 3)
    expect(await order((await place({ delivery_on: day })).id)).toMatchObject({ list_on: day, deliver_on: day, shipping_poisha: 8000 })
    expect(await order((await place({})).id)).toMatchObject({ list_on: listOn, deliver_on: listOn })
    expect(await order((await place({ delivery_on: null, collection: null })).id)).toMatchObject({
      deliver_on: listOn,
      is_collection: false,
    })
  })

  it.each([
    ['in the past', addDays(listOn, -1)],
    ['beyond the last one', addDays(listOn, 14)],
  ])('is rejected with the next possible one when it is %s', async (_, delivery_on) => {
    const answer = await place({ delivery_on })
    expect([answer.status, answer.next, Object.keys(answer.body.errors ?? {})]).toEqual([422, listOn, ['delivery_on']])
  })

  it.each([['2026-02-30'], ['tomorrow'], [''], [7], [true], [['2026-12-01']], ['9'.repeat(50)]])(
    'is rejected when it is %j',
    async (delivery_on) => {
      expect((await place({ delivery_on })).status).toBe(422)
    },
  )

  it('leaves out closed weekdays, also for orders without a choice', async () => {
    const weekday = new Date(listOn).getUTCDay()
    await saveSettings({ closed_weekdays: [weekday, (weekday + 1) % 7] })
    expect(await order((await place({})).id)).toMatchObject({ deliver_on: addDays(listOn, 2) })
    expect((await place({ delivery_on: addDays(listOn, 7) })).next).toBe(addDays(listOn, 2))
    const { calendar } = pageProps<{ calendar: object }>((await shop.visitor().get('/cart', { accept: 'text/html' })).text)
    expect(calendar).toEqual({ daysAhead: 14, closedWeekdays: [weekday, (weekday + 1) % 7], fullDays: {} })
  })

  it('of an animal of Kurbani is at most the last one of the season, until it is over; staff choose any day', async () => {
    const kurbani = await buildCategory(db, { key: 'kurbani' })
    const cattle = await buildArea(db, { cattle: 1500 })
    const home = async () => (await shop.get('/', { accept: 'text/html' })).text
    const season = (deliveryTo: string) => storeSettings(db, home, { kurbani: { ...DEFAULT_SETTINGS.kurbani, deliveryTo } })
    const buy = async (more: Record<string, unknown>) => {
      const cow = await buildAnimal(db, { category_id: kurbani.id })
      const answer = await shop.visitor().post('/customer-orders', orderBody(cattle.id, [[cow.id, 1]], more))
      return [answer.status, (answer.body as { next_delivery_on?: string | null }).next_delivery_on]
    }
    await season(addDays(listOn, 2))
    expect(await buy({ delivery_on: addDays(listOn, 2) })).toEqual([200, undefined])
    expect(await buy({ delivery_on: addDays(listOn, 3) })).toEqual([422, listOn])
    expect((await place({ delivery_on: addDays(listOn, 3) })).status).toBe(200)
    const cow = await buildAnimal(db, { category_id: kurbani.id })
    const phoned = await owner.post('/admin/orders/store', storeBody(cattle.id, [[cow.id, 1]], { list_on: addDays(listOn, 3) }))
    expect(phoned.status, phoned.text).toBe(200)
    const { calendar } = pageProps<{ calendar: object }>((await shop.visitor().get('/cart', { accept: 'text/html' })).text)
    expect(calendar).toMatchObject({ kurbaniUntil: addDays(listOn, 2) })
    await season(addDays(listOn, -1))
    expect(await buy({}), 'after the cut-off before the last day').toEqual([422, null])
    expect(await buy({ delivery_on: addDays(listOn, 3) })).toEqual([422, null])
    await season(addDays(dhakaDate(shop.clock.now), -1))
    expect(await buy({ delivery_on: addDays(listOn, 3) })).toEqual([200, undefined])
    await season(addDays(listOn, 6))
    const ready = await buildAnimal(db, { category_id: kurbani.id, delivery_on: addDays(listOn, 5) })
    const [now, later] = [await buildProduct(db), await buildProduct(db, { delivery_on: addDays(listOn, 9) })]
    const lines: [number, number][] = [now, ready, later].map(({ id }) => [id, 1])
    const answer = await shop.visitor().post('/customer-orders', orderBody(cattle.id, lines))
    expect(answer.status, answer.text).toBe(200)
    const { rows } = await sql`select first_delivery_on(o) as first, o.deliver_on as last,
      array(select line_delivery_on(o, l.delivery_on)::text from order_lines l where l.order_id = o.id order by l.position) as days
      from orders o where id = ${answer.body.order_id}`.execute(db)
    const [first, last] = [addDays(listOn, 5), addDays(listOn, 9)]
    expect(rows, 'what is ready before waits for the animal').toEqual([{ first, last, days: [first, first, last] }])
    // They keep their animals after this test.
    await sql`update orders set status = 'processing' where id in (select order_id from animal_holds)`.execute(db)
  })

  it('has one order left for eight at once, who lose nothing and get the next day', async () => {
    await saveSettings({ capacity: { cattle: 0, produce: 2 } })
    await place({})
    const answers = await Promise.all(Array.from({ length: 8 }, () => place({ delivery_on: listOn })))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    const others = answers.filter((answer) => answer.status !== 200)
    expect(others.map((answer) => [answer.status, answer.next])).toEqual(Array.from({ length: 7 }, () => [422, addDays(listOn, 1)]))
    const { calendar } = pageProps<{ calendar: object }>((await shop.visitor().get('/cart', { accept: 'text/html' })).text)
    expect(calendar).toMatchObject({ fullDays: { produce: [listOn] } })
  })

  it('is the next one with a place for orders without a choice at once', async () => {
    await saveSettings({ capacity: { cattle: 0, produce: 2 } })
    const placed = await Promise.all(Array.from({ length: 6 }, () => place({})))
    const found = await Promise.all(placed.map(async ({ id }) => (await order(id)).deliver_on))
    expect(found.sort()).toEqual([0, 0, 1, 1, 2, 2].map((ahead) => addDays(listOn, ahead)))
  })

  it('is free again after a cancellation, and a repeated request gets its own order', async () => {
    await saveSettings({ capacity: { cattle: 0, produce: 1 } })
    const client = shop.visitor()
    const body = orderBody(area.id, [[cane.id, 1]], { ...CASH, delivery_on: listOn })
    const first = await client.post('/customer-orders', body, { key: 'the-last-place' })
    const again = await client.post('/customer-orders', body, { key: 'the-last-place' })
    expect([again.status, again.body.order_id]).toEqual([200, first.body.order_id])
    expect((await place({ delivery_on: listOn })).status).toBe(422)
    await sql`update orders set status = 'cancelled', reason = 'test' where id = ${first.body.order_id}`.execute(db)
    expect((await place({ delivery_on: listOn })).status).toBe(200)
  })
})

describe('the day that the page showed', () => {
  it('is that of the order: where the shop has closed it meanwhile, the order is rejected with the next one', async () => {
    await saveSettings({ closed_weekdays: [new Date(listOn).getUTCDay()] })
    const next = addDays(listOn, 1)
    expect(await place({ expected_day: listOn })).toMatchObject({ status: 422, next })
    // The page chooses the next day.
    expect((await place({ delivery_on: next, expected_day: next })).status).toBe(200)
    expect((await place({ expected_day: next })).status).toBe(200)
  })

  it('does not make a repeated request another one', async () => {
    await saveSettings({})
    const client = shop.visitor()
    const body = orderBody(area.id, [[cane.id, 1]], CASH)
    const send = (expected_day: string) => client.post('/customer-orders', { ...body, expected_day }, { key: 'over-the-cut-off' })
    const first = await send(listOn)
    const again = await send(addDays(listOn, 1))
    expect([first.status, again.status, again.body.order_id]).toEqual([200, 200, first.body.order_id])
  })
})

describe('the settings', () => {
  it.each([
    ['no day of the week is open', { closed_weekdays: [0, 1, 2, 3, 4, 5, 6] }, 'delivery_days.closed_weekdays'],
    ['a weekday is none', { closed_weekdays: [7] }, 'delivery_days.closed_weekdays.0'],
    ['there are too few days', { ahead: 6 }, 'delivery_days.ahead'],
    ['there are too many days', { ahead: 61 }, 'delivery_days.ahead'],
    ['a capacity is negative', { capacity: { cattle: -1, produce: 0 } }, 'delivery_days.capacity.cattle'],
  ])('are rejected when %s', async (_, part, field) => {
    const answer = await saveSettings(part)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
  })

  it('need the address of collection in both languages', async () => {
    const answer = await saveSettings({}, { ...COLLECTION, address: { en: 'Farm gate', bn: '' } })
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['collection.address.bn'])
  })
})

describe('collection', () => {
  it('has no charge and no area, and needs no address', async () => {
    const body = orderBody(area.id, [[cane.id, 1]], { ...CASH, collection: true, expected_total: 100 })
    const customer = { ...body.customer, address: '', area_id: null, landmark: '' }
    const answer = await shop.visitor().post('/customer-orders', { ...body, customer })
    expect(answer.status, answer.text).toBe(200)
    expect(await order(answer.body.order_id!)).toMatchObject({
      is_collection: true,
      shipping_poisha: 0,
      total_poisha: 10_000,
      area_id: null,
      address: 'Farm gate',
      landmark: '',
    })
    const delivered = await shop.visitor().post('/customer-orders', { ...body, customer, collection: false })
    expect(Object.keys(delivered.body.errors ?? {})).toEqual(['customer.area_id', 'customer.address'])
  })

  it('takes no place of a full day', async () => {
    await saveSettings({ capacity: { cattle: 0, produce: 1 } })
    await place({ collection: true, delivery_on: listOn })
    await place({ delivery_on: listOn })
    expect((await place({ delivery_on: listOn })).status).toBe(422)
    expect((await place({ collection: true, delivery_on: listOn })).status).toBe(200)
  })

  it('does not use up a coupon for free delivery', async () => {
    const { code } = await buildCoupon(db, { kind: 'free_shipping' })
    const client = shop.visitor()
    await client.signIn((await buildUser(db)).phone)
    const { status, id, text } = await place({ collection: true, products: [{ product_id: cane.id, quantity: 1, coupon: code }] }, client)
    expect(status, text).toBe(200)
    expect(await db.selectFrom('coupon_uses').select('order_id').where('order_id', '=', id).execute()).toEqual([])
  })

  it('is rejected while it is not offered', async () => {
    await saveSettings({}, { ...COLLECTION, is_offered: false })
    const answer = await place({ collection: true })
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['collection']])
  })

  it('is named in the SMS, the invoice, the tracking page and the reminder', async () => {
    const { id } = await place({ collection: true, delivery_on: listOn })
    const texts = async () =>
      (await db.selectFrom('sms_outbox').select(['template', 'body']).where('order_id', '=', id).orderBy('id').execute()).map(
        (row) => row.body,
      )
    expect((await texts())[0]).toContain('খামার থেকে সংগ্রহ')
    const { view_key, tracking_code } = await db
      .selectFrom('orders')
      .select(['view_key', 'tracking_code'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const html = { accept: 'text/html' }
    const invoice = (await shop.visitor().get(`/invoice/${id}?key=${view_key}&lang=en`, html)).text
    expect(invoice).toContain('Collection date')
    expect(invoice).toContain('Farm gate')
    expect((await shop.visitor().get(`/track/${tracking_code}?lang=en`, html)).text).toContain('Ready to collect')
    await sendDeliveryReminders({
      db,
      now: () => dhakaInstant(addDays(listOn, -1), '18:00'),
      env: { publicUrl: 'https://khamar.example' },
      shopCache: { settings: async () => ({ ...DEFAULT_SETTINGS, collection: COLLECTION }) },
    })
    expect((await texts()).at(-1)).toContain('খামারের গেট')
  })
})
